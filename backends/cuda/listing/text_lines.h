// The lines of a CUDA text, and which of them instructions belong to.
//
//     TextLines lines(program.files, true);
//     for (const auto& [own, entry] : lines_of_code) lines.line_of(own, entry)
//
// 1. In a text of Glint's own the functions in front of a kernel are no more than its vocabulary:
//    what they do is of the line that calls them. In a user's text each line has its own.
// 2. What a header's functions do is of the line of the kernel that calls them.
// 3. What has no place (a compiler has moved it, or made it of several lines) is of the line that
//    was before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/simulator/module.h"

namespace glint::cuda {

std::vector<std::string_view> lines_of(std::string_view text);
/// Line `number`, counted from 1; empty where there is none.
std::string_view line_at(const std::vector<std::string_view>& lines, uint32_t number);
/// A line of the text itself; 0 of a header's. `files`: those of its PTX.
uint32_t line_in_text(const std::vector<std::string>& files, simulator::SourceLine at);

/// A line of PTX without the tabs that NVRTC writes: `mov.u32   %r1, %tid.x;`, whose operands begin
/// in that column behind the indentation, or where they can.
std::string without_tabs(std::string_view line, size_t column);

/// Of the instructions of one function, in order.
class TextLines {
 public:
  TextLines(const std::vector<std::string>& files, bool is_written_by_hand)
      : files_(files), is_written_by_hand_(is_written_by_hand) {}
  /// Of the next one, with its own place and the one in the entry that it was called from; 0 where
  /// none was known yet.
  uint32_t line_of(simulator::SourceLine own, simulator::SourceLine of_entry);

 private:
  const std::vector<std::string>& files_;
  bool is_written_by_hand_;
  uint32_t last_ = 0;
};

}  // namespace glint::cuda
