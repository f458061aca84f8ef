// The list of all builtins' topics and of all native modules.
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/modules_library.h"
#include "runtime/interpreter/plain_items.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/unicode_tables.h"

namespace glint::runtime {
namespace {

struct NativeModuleEntry {
  std::string_view name;
  NativeModule module;
};
NativeModule native(void (*fill)(Interpreter&, ModuleObject&), bool is_package = false) {
  NativeModule module;
  module.fill = fill;
  module.is_package = is_package;
  return module;
}

/// Those with a leading underscore are what parts of library/ are written with.
const NativeModuleEntry kModules[] = {
    {"math", native(fill_math)},
    {"cmath", native(fill_cmath)},
    {"time", native(fill_time)},
    {"sys", native(fill_sys)},
    {"gc", native(fill_gc)},
    {"_os", native(fill_os)},
    {"_random", native(fill_random)},
    {"_numpy_random", native(fill_numpy_random)},
    {"_bisect", native(fill_bisect)},
    {"_counting", native(fill_counting)},
    {"_json", native(fill_json)},
    {"_re", native(fill_re)},
    {"_storage", native(fill_storage)},
    {"_hashing", native(fill_hashing)},
    {"_weakref", native(fill_weakref)},
    {"_unicode", native(fill_unicode)},
    {"_numpy", native(fill_numpy)},
    {"_lapack", native(fill_lapack)},
    {"torch", native(fill_torch, true)},
    {"torch._native", native(fill_torch_native)},
    {"torch.nn.functional", native(fill_torch_functional)},
};

void fill_builtins_module(Interpreter& in, ModuleObject& module) {
  for (const auto& entry : in.builtins().table.entries())
    if (is_str(entry.key)) module.dict->set(view_of(entry.key), entry.value);
}
const NativeModule kBuiltins = native(fill_builtins_module);

}  // namespace

void install_builtins(Interpreter& in) {
  install_exceptions(in);
  install_object(in);
  install_types(in);
  install_functions(in);
  install_iterators(in);
  install_sorting(in);
  install_numbers(in);
  install_complex(in);
  install_str(in);
  install_str_format(in);
  install_bytes(in);
  install_list(in);
  install_tuple(in);
  install_range(in);
  install_dict(in);
  install_set(in);
  install_container(in);
  install_files(in);
  install_code(in);
  install_torch(in);
  BuiltinClasses& classes = in.classes();
  for (const auto& cls :
       {classes.object, classes.type, classes.boolean, classes.integer, classes.floating,
        classes.complex, classes.str, classes.bytes, classes.list, classes.tuple, classes.dict,
        classes.set, classes.frozenset, classes.range, classes.slice, classes.property,
        classes.static_method, classes.class_method, classes.super})
    in.builtins().set(cls->name->view(), Value(cls));
  in.builtins().set("Ellipsis", Value::ellipsis());
  in.builtins().set("NotImplemented", Value::not_implemented());
  in.builtins().set("__debug__", Value(true));
}

const NativeModule* find_native_module(std::string_view name) {
  if (name == "builtins") return &kBuiltins;
  for (const NativeModuleEntry& entry : kModules)
    if (entry.name == name) return &entry.module;
  return find_registered_module(name);
}

std::vector<std::string> native_module_names() {
  std::vector<std::string> names = registered_module_names();
  names.emplace_back("builtins");
  for (const NativeModuleEntry& entry : kModules) names.emplace_back(entry.name);
  return names;
}

}  // namespace glint::runtime
