// What the stand-in driver is told by the environment.
//
//     FAKE_DRIVER_FAILS=cuLaunchKernel:3=719     the third call of it fails with that error
//     FAKE_DRIVER_LOG=calls.txt                  each call's name is added to the file
//     FAKE_DRIVER_MEMORY=1000000                 bytes of memory; otherwise 8 GiB
//     FAKE_DRIVER_CAPABILITY=90                  compute capability 9.0; otherwise 8.0
//     FAKE_DRIVER_VERSION=12020                  CUDA's version that it has; otherwise 13.0
//     FAKE_DRIVER_DEVICES=0                      how many GPUs there are; otherwise one
//     CUDA_LAUNCH_BLOCKING=1                     a launch is waited for by its call, which tells
//     its
//                                                fault, as NVIDIA's driver does
//     FAKE_DRIVER_IDLE=1                         takes machine code, and no kernel runs: what a
//                                                launch costs the program can be measured
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace glint::driver {

struct Settings {
  uint64_t memory = 8ull << 30;
  int capability = 80;
  int version = 13000;
  int devices = 1;
  bool idle = false;
  bool waits = false;  ///< for each launch

  Settings() {
    memory = static_cast<uint64_t>(number("FAKE_DRIVER_MEMORY", static_cast<int64_t>(memory)));
    capability = static_cast<int>(number("FAKE_DRIVER_CAPABILITY", capability));
    version = static_cast<int>(number("FAKE_DRIVER_VERSION", version));
    devices = static_cast<int>(number("FAKE_DRIVER_DEVICES", devices));
    waits = number("CUDA_LAUNCH_BLOCKING", 0) != 0;
    idle = number("FAKE_DRIVER_IDLE", 0) != 0;
    read_failure(text("FAKE_DRIVER_FAILS"));
    if (const std::string file = text("FAKE_DRIVER_LOG"); !file.empty())
      log_ = std::fopen(file.c_str(), "a");
  }

  /// Writes a call down; the error that it is to fail with, or 0.
  int note_call(const char* name) {
    if (log_ != nullptr) {
      std::fprintf(log_, "%s\n", name);
      std::fflush(log_);
    }
    if (failing_.empty() || failing_ != name || ++calls_ != failing_call_) return 0;
    return failure_;
  }

 private:
  static std::string text(const char* name) {
    const char* found = std::getenv(name);
    return found == nullptr ? "" : found;
  }
  static int64_t number(const char* name, int64_t otherwise) {
    const std::string found = text(name);
    return found.empty() ? otherwise : std::stoll(found);
  }
  void read_failure(const std::string& asked) {
    const size_t colon = asked.find(':'), equals = asked.find('=');
    if (colon == std::string::npos || equals == std::string::npos) return;
    failing_ = asked.substr(0, colon);
    failing_call_ = std::stoi(asked.substr(colon + 1));
    failure_ = std::stoi(asked.substr(equals + 1));
  }

  std::string failing_;
  int failing_call_ = 0;
  int failure_ = 0;
  int calls_ = 0;
  std::FILE* log_ = nullptr;
};

}  // namespace glint::driver
