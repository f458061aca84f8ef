// A profile: what happened when, on which thread, for the trace viewers of Perfetto and Chrome.
//
//     int64_t since = profile::start();
//     {
//       profile::Scope scope;
//       if (profile::recording()) scope.begin("kernel", "multiply_relu_sum");
//       ...                                     an event, as long as the scope lives
//     }
//     profile::Recording found = profile::stop(since);
//
// Off, a place that would be recorded costs a look at a flag; on, an event costs some tenths of a
// microsecond. Each thread writes a track of its own. Scopes nest, so events do; one that is open
// when recording begins or ends is left out. At most `kMostEvents` are kept, the rest is counted.
//
// Recordings may overlap: each gets what happened between its start and its stop.
//
// Where a device does work for the processor, an event begins and ends there too: `DeviceClock`
// marks both points in the device's order of work, and tells the time between them when it is asked
// for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/support/span.h"

namespace glint::profile {

inline constexpr uint64_t kMostEvents = 500'000;

/// A point in the work of a device.
using DeviceMark = std::shared_ptr<const void>;

struct DeviceClock {
  /// Behind what was asked of the device so far; null where there is none.
  DeviceMark (*mark)() = nullptr;
  /// Waits for the later one.
  int64_t (*nanoseconds)(const DeviceMark& from, const DeviceMark& to) = nullptr;
};
void install_device_clock(DeviceClock clock);

struct Event {
  const char* category = "";
  std::string name;
  int64_t start = 0;     ///< nanoseconds, of a clock that never goes back
  int64_t duration = 0;  ///< of a counter: its value
  bool is_counter = false;
  DeviceMark device_start = nullptr, device_end = nullptr;
  std::vector<std::pair<const char*, std::string>> arguments = {};
  std::vector<Span> origins = {};  ///< of the script
};

/// What one thread did, in the order in which it ended. The first is that of the program's thread.
struct Track {
  std::string name;
  std::vector<Event> events;
};

/// How long the device worked from the event's beginning to its end; 0 where it has none.
int64_t device_duration(const Event& event);

struct Recording {
  int64_t start = 0;
  std::vector<Track> tracks;
  uint64_t left_out = 0;
};

inline std::atomic<bool> flag{false};
inline bool recording() {
  return flag.load(std::memory_order_relaxed);
}

/// Gives the time from which on events count, for `stop`. Called where no loop is running.
int64_t start();
Recording stop(int64_t since);

/// An event that lasts as long as the object, once it was begun.
class Scope {
 public:
  Scope() = default;
  ~Scope() {
    if (event_) [[unlikely]]
      end();
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void begin(const char* category, std::string name, std::vector<Span> origins = {});
  /// Of one that was begun.
  void add(const char* key, std::string value);

 private:
  void end();

  std::unique_ptr<Event> event_;
};

/// The value that something has from now on.
void count(const char* name, int64_t value);

}  // namespace glint::profile
