// The module `time`: clocks, and the calendar.
//
//     time.strftime("%H:%M", time.localtime(0.0))
//
// Parts of a time are a `struct_time` (library/_calendar.py), and here the C library's `tm`, which
// counts years from 1900, months from 0 and days of the week from Sunday.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

// ---- Clocks ------------------------------------------------------------------------------------

template <clockid_t kClock>
int64_t nanoseconds() {
  timespec now = {};
  clock_gettime(kClock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}
template <clockid_t kClock>
Value seconds(NativeCall& call) {
  return Value(static_cast<double>(nanoseconds<kClock>()) * 1e-9);
}
template <clockid_t kClock>
Value whole_nanoseconds(NativeCall& call) {
  return int_value(nanoseconds<kClock>());
}

Value time_sleep(NativeCall& call) {
  double length = 0;
  if (!float_argument(call, 0, length)) return Value();
  if (length < 0) return call.raise("ValueError", "sleep length must be non-negative");
  constexpr double kMostSeconds = 9223372036.0;  // what 64 bits count in nanoseconds
  if (length > kMostSeconds)
    return call.raise("OverflowError", "timestamp too large to convert to C _PyTime_t");
  // A signal ends the wait: Ctrl-C raises, whatever else came is slept over.
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(length);
  for (;;) {
    std::chrono::duration<double> left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) return Value::none();
    double whole = std::floor(std::min(left.count(), 1e9));
    timespec wait{static_cast<time_t>(whole), static_cast<long>((left.count() - whole) * 1e9)};
    if (left.count() > 1e9) wait.tv_nsec = 0;
    nanosleep(&wait, nullptr);
    if (call.interpreter.raise_interrupt()) return Value();
  }
}

// ---- The calendar ------------------------------------------------------------------------------

/// The argument in whole seconds, or now.
bool seconds_argument(NativeCall& call, std::time_t& out) {
  out = std::time(nullptr);
  if (!given_not_none(call[0])) return true;
  if (is_str(call[0])) {
    call.raise("TypeError", "'str' object cannot be interpreted as an integer");
    return false;
  }
  double given = 0;
  if (!float_argument(call, 0, given)) return false;
  if (std::isnan(given)) {
    call.raise("ValueError", "Invalid value NaN (not a number)");
    return false;
  }
  if (std::abs(given) > 6e16) {  // years that an int of the C library does not hold
    call.raise("OverflowError", "timestamp out of range for platform time_t");
    return false;
  }
  out = static_cast<std::time_t>(std::floor(given));
  return true;
}

/// What a part may be; those that are not named here may be anything.
bool in_range(NativeCall& call, const std::tm& parts) {
  const char* wrong = parts.tm_mon < 0 || parts.tm_mon > 11      ? "month out of range"
                      : parts.tm_mday < 1 || parts.tm_mday > 31  ? "day of month out of range"
                      : parts.tm_hour < 0 || parts.tm_hour > 23  ? "hour out of range"
                      : parts.tm_min < 0 || parts.tm_min > 59    ? "minute out of range"
                      : parts.tm_sec < 0 || parts.tm_sec > 61    ? "seconds out of range"
                      : parts.tm_yday < 0 || parts.tm_yday > 365 ? "day of year out of range"
                                                                 : nullptr;
  if (wrong) call.raise("ValueError", wrong);
  return !wrong;
}

/// The parts that an argument holds, or those of now; `name` is the function's, for errors.
bool parts_argument(NativeCall& call, size_t index, std::string_view name, std::tm& out) {
  out = {};
  if (!given_not_none(call[index])) {
    std::time_t now = std::time(nullptr);
    localtime_r(&now, &out);
    return true;
  }
  const std::vector<Value>* items = call[index].is<TupleObject>() ? items_of(call[index]) : nullptr;
  if (!items) {
    call.raise("TypeError", "Tuple or struct_time argument required");
    return false;
  }
  if (items->size() != 9 || !std::ranges::all_of(*items, &Value::is_integral)) {
    call.raise("TypeError", fmt::format("{}(): illegal time tuple argument", name));
    return false;
  }
  auto part = [&](size_t i) { return static_cast<int>((*items)[i].as_int()); };
  out.tm_year = part(0) - 1900;
  out.tm_mon = part(1) == 0 ? 0 : part(1) - 1;
  out.tm_mday = part(2) == 0 ? 1 : part(2);
  out.tm_hour = part(3);
  out.tm_min = part(4);
  out.tm_sec = part(5);
  out.tm_wday = (part(6) + 1) % 7;
  out.tm_yday = part(7) == 0 ? 0 : part(7) - 1;
  out.tm_isdst = part(8);
  return true;
}

template <std::tm* (*kParts)(const std::time_t*, std::tm*)>
Value time_parts(NativeCall& call) {
  std::time_t seconds = 0;
  if (!seconds_argument(call, seconds)) return Value();
  std::tm parts = {};
  kParts(&seconds, &parts);
  Value calendar = call.interpreter.import_module("_calendar");
  if (calendar.is_undefined()) return Value();
  Value items(
      make_tuple({int_value(parts.tm_year + 1900), int_value(parts.tm_mon + 1),
                  int_value(parts.tm_mday), int_value(parts.tm_hour), int_value(parts.tm_min),
                  int_value(parts.tm_sec), int_value((parts.tm_wday + 6) % 7),
                  int_value(parts.tm_yday + 1), int_value(parts.tm_isdst)}));
  return call.interpreter.call_method(
      calendar, "made", {items, str_value(parts.tm_zone), int_value(parts.tm_gmtoff)});
}

Value time_mktime(NativeCall& call) {
  std::tm parts = {};
  if (call[0].is_none()) return call.raise("TypeError", "Tuple or struct_time argument required");
  if (!parts_argument(call, 0, "mktime", parts)) return Value();
  parts.tm_wday = -1;  // stays so where there is no such time: -1 may be a second before 1970
  std::time_t seconds = std::mktime(&parts);
  if (seconds == -1 && parts.tm_wday == -1)
    return call.raise("OverflowError", "mktime argument out of range");
  return Value(static_cast<double>(seconds));
}

Value time_strftime(NativeCall& call) {
  std::string_view format;
  std::tm parts = {};
  if (!text_argument(call, 0, format) || !parts_argument(call, 1, "strftime", parts))
    return Value();
  if (!in_range(call, parts)) return Value();
  if (format.find('\0') != std::string_view::npos)
    return call.raise("ValueError", "embedded null character");
  // `strftime` says 0 for a text that is empty and for one that is too long: a mark tells them
  // apart.
  std::string marked = std::string(format) + "|", out(marked.size() * 4 + 64, '\0');
  for (;;) {
    size_t size = std::strftime(out.data(), out.size(), marked.c_str(), &parts);
    if (size > 0) return str_value(out.substr(0, size - 1));
    out.resize(out.size() * 4);
  }
}

Value as_text(const std::tm& parts) {
  char text[64];
  size_t size = std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &parts);
  return str_value(std::string(text, size));
}
Value time_asctime(NativeCall& call) {
  std::tm parts = {};
  if (!parts_argument(call, 0, "asctime", parts) || !in_range(call, parts)) return Value();
  return as_text(parts);
}
Value time_ctime(NativeCall& call) {
  std::time_t seconds = 0;
  if (!seconds_argument(call, seconds)) return Value();
  std::tm parts = {};
  localtime_r(&seconds, &parts);
  return as_text(parts);
}

constexpr NativeDefinition kTime[] = {
    {"time()", seconds<CLOCK_REALTIME>, kImpure, "seconds since 1970"},
    {"time_ns()", whole_nanoseconds<CLOCK_REALTIME>, kImpure, "nanoseconds since 1970"},
    {"perf_counter()", seconds<CLOCK_MONOTONIC>, kImpure, "seconds, for measuring"},
    {"perf_counter_ns()", whole_nanoseconds<CLOCK_MONOTONIC>, kImpure,
     "nanoseconds, for measuring"},
    {"monotonic()", seconds<CLOCK_MONOTONIC>, kImpure, "seconds that never go back"},
    {"monotonic_ns()", whole_nanoseconds<CLOCK_MONOTONIC>, kImpure,
     "nanoseconds that never go back"},
    {"process_time()", seconds<CLOCK_PROCESS_CPUTIME_ID>, kImpure, "seconds of processor time"},
    {"process_time_ns()", whole_nanoseconds<CLOCK_PROCESS_CPUTIME_ID>, kImpure,
     "nanoseconds of processor time"},
    {"sleep(secs, /)", time_sleep, kImpure, "waits"},
    {"localtime(secs=None, /)", time_parts<localtime_r>, kImpure, "a time's parts, here"},
    {"gmtime(secs=None, /)", time_parts<gmtime_r>, kImpure, "a time's parts, in Greenwich"},
    {"mktime(t, /)", time_mktime, kImpure, "seconds since 1970 of local parts"},
    {"strftime(format, t=None, /)", time_strftime, kImpure, "a time as text"},
    {"asctime(t=None, /)", time_asctime, kImpure, "a time as `Thu Jan  1 00:00:00 1970`"},
    {"ctime(secs=None, /)", time_ctime, kImpure, "seconds since 1970 as such a text"},
};

}  // namespace

void fill_time(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kTime);
}

}  // namespace glint::runtime
