#include "library/library.h"

namespace glint::library {

const EmbeddedModule* find_module(std::string_view name) {
  for (const EmbeddedModule& module : modules())
    if (module.name == name) return &module;
  return nullptr;
}

}  // namespace glint::library
