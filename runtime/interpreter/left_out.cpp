#include "runtime/interpreter/left_out.h"

#include <fmt/format.h>

namespace glint::runtime {
namespace {

/// A module, or a name in one, and all that is inside it.
struct LeftOut {
  std::string_view name;
  std::string_view instead;
};

constexpr std::string_view kNoThreads = "a script runs in one thread, kernels in several";
constexpr std::string_view kOneProcess = "a script runs in one process, on one machine";
constexpr std::string_view kNoPackages = "packages from outside are not read, `torch` is built in";
constexpr std::string_view kNotYet = "it is not there yet";

constexpr LeftOut kLeftOut[] = {
    {"array", "use a list or a tensor"},
    {"asyncio", "use plain functions and generators"},
    {"concurrent", kNoThreads},
    {"ctypes", "scripts cannot call C"},
    {"decimal", "use int or float"},
    {"fractions", "use pairs of ints"},
    {"hashlib", "use `hash` or `random`"},
    {"logging.config", "use `logging.basicConfig`"},
    {"logging.handlers", "use `logging.FileHandler` or a subclass of `logging.Handler`"},
    {"multiprocessing", kNoThreads},
    {"numbers", "use `isinstance(x, (int, float))`"},
    {"pandas", kNoPackages},
    {"pprint", "use `print`"},
    {"scipy", kNoPackages},
    {"signal", "catch `KeyboardInterrupt`"},
    {"subprocess", "scripts start no programs"},
    {"threading", kNoThreads},
    {"torch.cholesky", "PyTorch has removed it, use `torch.linalg.cholesky`"},
    {"torch.distributed.fsdp", kOneProcess},
    {"torch.distributed.rpc", kOneProcess},
    {"torch.eig", kNotYet},
    {"torch.export", kNotYet},
    {"torch.hub", kNoPackages},
    {"torch.jit", "use `torch.compile`"},
    {"torch.lu", kNotYet},
    {"torch.multiprocessing", kNoThreads},
    {"torch.nn.utils", kNotYet},
    {"torch.onnx", kNotYet},
    {"torch.optim.SparseAdam", "gradients are dense here, use `torch.optim.Adam`"},
    {"torch.optim.lr_scheduler", "set `group['lr']` of `optimizer.param_groups`"},
    {"torch.profiler", "use `glint bench` or `time.perf_counter`"},
    {"torch.qr", "PyTorch has removed it, use `torch.linalg.qr`"},
    {"torch.quantization", kNotYet},
    {"torch.sparse", kNotYet},
    {"torch.utils", kNotYet},
    {"torchvision", kNoPackages},
    {"unittest", "use `assert`"},
    {"uuid", "use `random`"},
    {"weakref", "keep the object, or its `id`"},
};

}  // namespace

std::optional<std::string> left_out_hint(std::string_view module) {
  for (const LeftOut& each : kLeftOut) {
    bool inside = module.starts_with(each.name) &&
                  (module.size() == each.name.size() || module[each.name.size()] == '.');
    if (!inside) continue;
    bool torchs = each.name.starts_with("torch.");
    return fmt::format("; {}{}", torchs ? "" : "it is not part of the language: ", each.instead);
  }
  return std::nullopt;
}

}  // namespace glint::runtime
