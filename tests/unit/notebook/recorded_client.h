// A front end that only keeps what it is told.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "notebook/host.h"

namespace glint::notebook {

struct RecordedClient : Client {
  void write(bool is_error, const std::string& text) override {
    (is_error ? error : out) += text;
    ++messages;
  }
  void show(const Forms& forms, const ShownAs& as) override {
    shown.push_back(forms);
    shown_as.push_back(as);
  }
  void clear(bool waits) override { clears.push_back(waits); }
  void show_result(const Forms& forms) override { results.push_back(forms); }
  std::optional<std::string> read_line(const std::string& prompt) override {
    prompts.push_back(prompt);
    return typed;
  }

  std::string out, error;
  size_t messages = 0;
  std::vector<Forms> shown, results;
  std::vector<ShownAs> shown_as;  ///< one for each that was shown
  std::vector<bool> clears;       ///< whether they wait
  std::vector<std::string> prompts;
  std::optional<std::string> typed = {};
};

}  // namespace glint::notebook
