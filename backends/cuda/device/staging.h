// Copies between the processor's memory and the device's through pinned memory, in pieces, so that
// a copy and the transfer of the piece before it go on side by side.
//
//     Staging staging(driver);
//     staging.upload(target, source, bytes, stream)      // `source` may change when it returns
//     staging.download(target, source, bytes, stream)    // waits until the bytes are there
//
//   memory of the processor ── copy ──> piece (pinned) ── the device's own copying ──> its memory
//
// The driver does the same with memory that is not pinned, but waits for the device at every
// upload. Memory that is pinned itself needs no pieces.
#pragma once

#include <array>
#include <cstddef>

#include "backends/cuda/device/driver_functions.h"

namespace glint::cuda {

class Staging {
 public:
  explicit Staging(const DriverFunctions& functions) : f_(functions) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  CuResult upload(CuAddress target, const std::byte* source, size_t bytes, CuStream stream);
  CuResult download(std::byte* target, CuAddress source, size_t bytes, CuStream stream);

 private:
  /// Pinned memory, and when the device is done with it.
  struct Piece {
    std::byte* memory = nullptr;
    CuEvent done = nullptr;
    bool in_use = false;
  };
  static constexpr size_t kPieceBytes = size_t{1} << 20;
  static constexpr size_t kPieces = 4;

  /// The next piece, when the device is done with it.
  CuResult take(Piece*& piece);
  static CuResult make(const DriverFunctions& f, Piece& piece);

  const DriverFunctions& f_;
  std::array<Piece, kPieces> pieces_;
  size_t next_ = 0;
};

}  // namespace glint::cuda
