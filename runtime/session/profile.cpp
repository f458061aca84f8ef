// Profiles: `glint run --profile FILE`, `:profile f(x) FILE`, and the native part of
// library/torch/profiler.py.
//
//     _glint_profile.start()                 a handle
//     _glint_profile.stop(handle)            what happened since, as trace events; and in rows
//     _glint_profile.enter("step"), leave()  an event of the script's own
//
// core/support/profile.h records; repl/report/trace_events.h writes.

#include "core/support/profile.h"

#include <memory>

#include "repl/report/trace_events.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

/// The one session; natives are plain functions.
Session::Parts* session = nullptr;

/// Events that a script has begun and not ended yet.
std::vector<std::unique_ptr<profile::Scope>>& open_events() {
  static std::vector<std::unique_ptr<profile::Scope>> open;
  return open;
}

runtime::Value native_start(runtime::NativeCall& call) {
  return runtime::int_value(profile::start());
}

/// (category, name, start, seconds, seconds of the device) of an event.
runtime::Value row_of(const profile::Event& event) {
  return runtime::Value(runtime::make_tuple(
      {runtime::str_value(event.category), runtime::str_value(event.name),
       runtime::Value(double(event.start) * 1e-9), runtime::Value(double(event.duration) * 1e-9),
       runtime::Value(double(profile::device_duration(event)) * 1e-9)}));
}

/// stop(handle): the trace as text, and the events of the script's thread.
runtime::Value native_stop(runtime::NativeCall& call) {
  int64_t since = 0;
  if (!runtime::int_argument(call, 0, since)) return runtime::Value();
  const profile::Recording found = profile::stop(since);
  std::vector<runtime::Value> rows;
  for (const profile::Event& event : found.tracks[0].events)
    if (!event.is_counter) rows.push_back(row_of(event));
  return runtime::Value(
      runtime::make_pair(runtime::str_value(report::trace_events(found, session->sources)),
                         runtime::Value(runtime::make_list(std::move(rows)))));
}

runtime::Value native_enter(runtime::NativeCall& call) {
  std::string_view name;
  if (!runtime::text_argument(call, 0, name)) return runtime::Value();
  open_events().push_back(std::make_unique<profile::Scope>());
  if (profile::recording()) open_events().back()->begin("script", std::string(name));
  return runtime::Value::none();
}

runtime::Value native_leave(runtime::NativeCall& call) {
  if (!open_events().empty()) open_events().pop_back();
  return runtime::Value::none();
}

constexpr runtime::NativeDefinition kNatives[] = {
    {"start()", native_start, runtime::kImpure, "begins to record"},
    {"stop(handle, /)", native_stop, runtime::kImpure, "ends it: trace events, and rows"},
    {"enter(name, /)", native_enter, runtime::kImpure, "begins an event of the script's own"},
    {"leave()", native_leave, runtime::kImpure, "ends it"},
};

void fill(runtime::Interpreter& interpreter, runtime::ModuleObject& module) {
  interpreter.add_functions(module, kNatives);
}

}  // namespace

void Session::Parts::install_profile() {
  session = this;
  runtime::NativeModule module;
  module.fill = fill;
  runtime::register_native_module("_glint_profile", module);
}

int64_t Session::start_profile() {
  return profile::start();
}

std::string Session::stop_profile(int64_t handle) {
  return report::trace_events(profile::stop(handle), parts_->sources);
}

}  // namespace glint
