#include "runtime/capture/module_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/interpreter/containers.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using runtime::DictObject;
using runtime::Frame;
using runtime::InstanceObject;
using runtime::Value;

namespace {

/// How many containers of modules, which are not called themselves, may lie between two that are.
constexpr int kDeepest = 4;

/// `_modules`, `_parameters` or `_buffers` of a module; null where it is none.
const DictObject* table_of(InstanceObject& module, std::string_view name) {
  Value* table = module.find(name);
  return table ? table->try_as<DictObject>() : nullptr;
}

/// The module whose call the frame is; null where it is another function's.
InstanceObject* called_module(const Frame& frame) {
  if (!frame.code || frame.register_count() == 0) return nullptr;
  const program::Code& code = frame.program();
  if (code.name != "forward" && code.name != "__call__") return nullptr;
  auto* instance = frame.registers[0].try_as<InstanceObject>();
  if (!instance || !table_of(*instance, "_modules")) return nullptr;
  // What `torch.compile` wraps around a network is none of its modules.
  return instance->cls->name->view() == "OptimizedModule" ? nullptr : instance;
}

/// The modules at work, the innermost first.
std::vector<InstanceObject*> modules_at_work(const Frame* innermost) {
  std::vector<InstanceObject*> modules;
  for (const Frame* frame = innermost; frame; frame = frame->caller) {
    InstanceObject* module = called_module(*frame);
    if (module && (modules.empty() || modules.back() != module)) modules.push_back(module);
  }
  return modules;
}

/// `layers.0` of a module that lies so many levels below another; empty where it does not.
std::string path_below(InstanceObject& outer, const InstanceObject& wanted, int levels) {
  const DictObject* owned = table_of(outer, "_modules");
  if (!owned) return {};
  for (const auto& entry : owned->table.entries()) {
    if (entry.key.is_undefined()) continue;
    auto* name = entry.key.try_as<runtime::StrObject>();
    auto* module = entry.value.try_as<InstanceObject>();
    if (!name || !module) continue;
    if (levels == 1) {
      if (module == &wanted) return std::string(name->view());
      continue;
    }
    const std::string rest = path_below(*module, wanted, levels - 1);
    if (!rest.empty()) return fmt::format("{}.{}", name->view(), rest);
  }
  return {};
}

std::string path_below(InstanceObject& outer, const InstanceObject& wanted) {
  for (int levels = 1; levels <= kDeepest; ++levels)
    if (std::string path = path_below(outer, wanted, levels); !path.empty()) return path;
  return std::string(wanted.cls->name->view());
}

bool holds(const DictObject* table, const Tensor& tensor) {
  if (!table) return false;
  return std::ranges::any_of(table->table.entries(), [&](const auto& entry) {
    return entry.key.defined() && runtime::is_tensor(entry.value) &&
           runtime::tensor_of(entry.value).is_same(tensor);
  });
}

}  // namespace

std::string ModulePaths::name_outermost(const InstanceObject& module) {
  const auto is_module = [&](const Outermost& each) {
    return each.address == &module && each.cls == module.cls;
  };
  auto found = std::ranges::find_if(outermost_, is_module);
  if (found == outermost_.end()) found = outermost_.insert(found, {&module, module.cls});
  const auto before = std::count_if(outermost_.begin(), found,
                                    [&](const Outermost& each) { return each.cls == module.cls; });
  const std::string_view name = module.cls->name->view();
  return before == 0 ? std::string(name) : fmt::format("{}_{}", name, before);
}

std::string ModulePaths::of(const Frame* innermost) {
  const std::vector<InstanceObject*> modules = modules_at_work(innermost);
  if (modules.empty()) return {};
  std::string path = name_outermost(*modules.back());
  for (size_t i = modules.size() - 1; i-- > 0;)
    path += "." + path_below(*modules[i + 1], *modules[i]);
  return path;
}

std::string ModulePaths::of_owned(const Frame* innermost, const Tensor& tensor) {
  const std::vector<InstanceObject*> modules = modules_at_work(innermost);
  if (modules.empty()) return {};
  InstanceObject& module = *modules.front();
  const bool owns =
      holds(table_of(module, "_parameters"), tensor) || holds(table_of(module, "_buffers"), tensor);
  return owns ? of(innermost) : std::string();
}

}  // namespace glint::capture
