// The modules that speak to the machine: sys, gc, and `_os`, `_random` for the library.
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <thread>

#include "core/support/sha512.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/modules_mersenne.h"

extern char** environ;

namespace glint::runtime {
namespace {

// ---- sys ---------------------------------------------------------------------------------------

Value sys_getrecursionlimit(NativeCall& call) {
  return int_value(call.interpreter.recursion_limit());
}
Value sys_setrecursionlimit(NativeCall& call) {
  int64_t limit = 0;
  if (!int_argument(call, 0, limit)) return Value();
  if (limit < 1) return call.raise("ValueError", "recursion limit must be greater or equal than 1");
  call.interpreter.set_recursion_limit(static_cast<uint32_t>(std::min<int64_t>(limit, 1'000'000)));
  return Value::none();
}
Value sys_getrefcount(NativeCall& call) {
  return int_value(call[0].is_object() ? call[0].object()->ref_count() : 1);
}
Value sys_getsizeof(NativeCall& call) {
  return int_value(64);
}
Value sys_exc_info(NativeCall& call) {
  Value error = call.interpreter.handled_exception();
  if (error.is_undefined()) return Value(make_tuple({Value::none(), Value::none(), Value::none()}));
  return Value(make_tuple({Value(Ref<ClassObject>(class_of(error))), error, Value::none()}));
}
Value sys_format_exception(NativeCall& call) {
  auto* error = call[0].try_as<ExceptionObject>();
  if (!error) return call.raise("TypeError", "an exception is expected");
  return str_value(call.interpreter.format_exception(*error));
}
Value sys_call_place(NativeCall& call) {
  int64_t levels = 0;
  if (!int_argument(call, 0, levels)) return Value();
  for (const Frame* frame = call.interpreter.top_frame(); frame; frame = frame->caller) {
    if (!frame->code || levels-- > 0) continue;
    const program::Code& code = frame->program();
    const Span& span = code.instructions[frame->position()].span;
    return Value(make_tuple({str_value(std::string(call.interpreter.sources().name(span.source))),
                             int_value(span.line), str_value(code.name)}));
  }
  return Value::none();
}
Value sys_intern(NativeCall& call) {
  return is_str(call[0]) ? Value(intern(view_of(call[0]))) : call[0];
}

Value sys_exit(NativeCall& call) {
  std::vector<Value> arguments;
  if (!call[0].is_none()) arguments.push_back(call[0]);
  Interpreter& in = call.interpreter;
  return in.raise(in.classes().exceptions["SystemExit"], std::move(arguments));
}

constexpr NativeDefinition kSys[] = {
    {"exit(status=None, /)", sys_exit, kImpure, "ends the program"},
    {"getrecursionlimit()", sys_getrecursionlimit, kImpure, "how deep calls may nest"},
    {"setrecursionlimit(limit, /)", sys_setrecursionlimit, kImpure, "sets how deep calls may nest"},
    {"getrefcount(object, /)", sys_getrefcount, kImpure, "how many references there are"},
    {"getsizeof(object, default=..., /)", sys_getsizeof, kImpure, "about how many bytes it takes"},
    {"exc_info()", sys_exc_info, kImpure, "the exception being handled"},
    {"_format_exception(error, /)", sys_format_exception, kImpure, "its traceback as text"},
    {"_call_place(levels, /)", sys_call_place, kImpure,
     "file, line and function of the call so many levels up"},
    {"intern(string, /)", sys_intern, kPure, "the one object of a text"},
};

// ---- gc ----------------------------------------------------------------------------------------

Value gc_collect(NativeCall& call) {
  return int_value(static_cast<int64_t>(collect_cycles()));
}
Value gc_nothing(NativeCall& call) {
  return Value::none();
}
Value gc_isenabled(NativeCall& call) {
  return Value(true);
}

constexpr NativeDefinition kGc[] = {
    {"collect(generation=2)", gc_collect, kImpure, "frees dead cycles"},
    {"enable()", gc_nothing, kImpure, "does nothing: the collector is always on"},
    {"disable()", gc_nothing, kImpure, "does nothing: the collector is always on"},
    {"isenabled()", gc_isenabled, kImpure, "True"},
};

// ---- _os ---------------------------------------------------------------------------------------

namespace fs = std::filesystem;

bool path_argument(NativeCall& call, size_t index, std::string& out) {
  Value path = call[index];
  if (!is_str(path)) path = call.interpreter.call_method(path, "__fspath__");
  if (path.is_undefined()) return false;
  if (!is_str(path)) return call.raise("TypeError", "expected a path"), false;
  out = view_of(path);
  return true;
}

Value raise_errno(NativeCall& call, const std::string& path) {
  return raise_os_error(call.interpreter, errno, path);
}

template <bool (*kQuestion)(const fs::path&, std::error_code&) noexcept>
Value path_question(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path)) return Value();
  std::error_code error;
  return Value(kQuestion(path, error));
}
bool path_exists(const fs::path& path, std::error_code& error) noexcept {
  return fs::exists(path, error);
}
bool path_is_file(const fs::path& path, std::error_code& error) noexcept {
  return fs::is_regular_file(path, error);
}
bool path_is_dir(const fs::path& path, std::error_code& error) noexcept {
  return fs::is_directory(path, error);
}

bool stat_argument(NativeCall& call, struct stat& out) {
  std::string path;
  if (!path_argument(call, 0, path)) return false;
  if (::stat(path.c_str(), &out) == 0) return true;
  raise_errno(call, path);
  return false;
}
Value os_getsize(NativeCall& call) {
  struct stat info = {};
  return stat_argument(call, info) ? int_value(info.st_size) : Value();
}
Value os_getmtime(NativeCall& call) {
  struct stat info = {};
  return stat_argument(call, info) ? Value(static_cast<double>(info.st_mtim.tv_sec) +
                                           static_cast<double>(info.st_mtim.tv_nsec) * 1e-9)
                                   : Value();
}
Value os_getcwd(NativeCall& call) {
  std::error_code error;
  return str_value(fs::current_path(error).string());
}
Value os_listdir(NativeCall& call) {
  std::string path = ".";
  if (given_not_none(call[0]) && !path_argument(call, 0, path)) return Value();
  std::error_code error;
  std::vector<Value> names;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    names.push_back(str_value(at->path().filename().string()));
  if (error) {
    errno = error.value();
    return raise_errno(call, path);
  }
  return Value(make_list(std::move(names)));
}
template <int (*kAction)(const char*)>
Value path_action(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path)) return Value();
  return kAction(path.c_str()) == 0 ? Value::none() : raise_errno(call, path);
}
int make_directory(const char* path) {
  return ::mkdir(path, 0777);
}
int remove_file(const char* path) {
  return ::unlink(path);
}
int remove_directory(const char* path) {
  return ::rmdir(path);
}
Value os_rename(NativeCall& call) {
  std::string from, to;
  if (!path_argument(call, 0, from) || !path_argument(call, 1, to)) return Value();
  return std::rename(from.c_str(), to.c_str()) == 0 ? Value::none() : raise_errno(call, from);
}
Value os_exit(NativeCall& call) {
  int64_t status = 0;
  if (!int_argument(call, 0, status)) return Value();
  ::_exit(static_cast<int>(status));
}
Value os_getpid(NativeCall& call) {
  return int_value(::getpid());
}
Value os_terminal_size(NativeCall& call) {
  int64_t descriptor = 0;
  if (!int_argument(call, 0, descriptor)) return Value();
  winsize size = {};
  if (::ioctl(static_cast<int>(descriptor), TIOCGWINSZ, &size) != 0)
    return call.raise("OSError", fmt::format("[Errno {}] {}", errno, std::strerror(errno)));
  return Value(make_tuple({int_value(size.ws_col), int_value(size.ws_row)}));
}
Value os_cpu_count(NativeCall& call) {
  return int_value(std::thread::hardware_concurrency());
}

constexpr NativeDefinition kOs[] = {
    {"exists(path, /)", path_question<path_exists>, kImpure, "whether there is such a file"},
    {"isfile(path, /)", path_question<path_is_file>, kImpure, "whether it is a file"},
    {"isdir(path, /)", path_question<path_is_dir>, kImpure, "whether it is a folder"},
    {"getsize(path, /)", os_getsize, kImpure, "its bytes"},
    {"getmtime(path, /)", os_getmtime, kImpure, "when it was last changed"},
    {"getcwd()", os_getcwd, kImpure, "the working folder"},
    {"listdir(path=None, /)", os_listdir, kImpure, "the names in a folder"},
    {"mkdir(path, mode=511, /)", path_action<make_directory>, kImpure, "makes a folder"},
    {"remove(path, /)", path_action<remove_file>, kImpure, "removes a file"},
    {"rmdir(path, /)", path_action<remove_directory>, kImpure, "removes an empty folder"},
    {"rename(src, dst, /)", os_rename, kImpure, "renames a file"},
    {"_exit(status)", os_exit, kImpure, "ends the process at once: nothing is flushed or called"},
    {"getpid()", os_getpid, kImpure, "the number of the process"},
    {"get_terminal_size(fd=1, /)", os_terminal_size, kImpure, "columns and lines of a terminal"},
    {"cpu_count()", os_cpu_count, kImpure, "how many processors there are"},
};

// ---- _random -----------------------------------------------------------------------------------

struct GeneratorData final : NativeDataObject {
  PythonRandom random;
  explicit GeneratorData(ClassObject* of) : NativeDataObject(of) {}
};
PythonRandom& generator_of(NativeCall& call) {
  return static_cast<GeneratorData*>(call[0].object())->random;
}

Value make_generator(NativeCall& call) {
  return Value(make_ref<GeneratorData>(call.function->data.as<ClassObject>()));
}
/// The bytes and their SHA-512 as one large number, the first byte highest.
void seed_by_bytes(PythonRandom& generator, std::string_view bytes) {
  std::string all(bytes);
  for (uint8_t byte : sha512(bytes)) all.push_back(static_cast<char>(byte));
  std::vector<uint32_t> words((all.size() + 3) / 4);
  for (size_t i = 0; i < all.size(); ++i) {
    uint32_t byte = static_cast<uint8_t>(all[all.size() - 1 - i]);
    words[i / 4] |= byte << (8 * (i % 4));
  }
  while (words.size() > 1 && words.back() == 0) words.pop_back();
  generator.seed_words(words);
}

Value generator_seed(NativeCall& call) {
  const Value& seed = call[1];
  if (seed.is_none()) {
    std::random_device device;
    generator_of(call).seed(uint64_t{device()} << 32 | device());
  } else if (seed.is_integral()) {
    int64_t value = seed.as_int();
    generator_of(call).seed(value < 0 ? uint64_t{0} - static_cast<uint64_t>(value)
                                      : static_cast<uint64_t>(value));
  } else if (is_str(seed)) {
    seed_by_bytes(generator_of(call), seed.as<StrObject>()->view());
  } else if (auto* bytes = seed.try_as<BytesObject>()) {
    seed_by_bytes(generator_of(call), bytes->data);
  } else if (seed.is_float()) {
    uint64_t hash = 0;
    if (!hash_of(call.interpreter, seed, hash)) return Value();
    generator_of(call).seed(hash);
  } else {
    return call.raise("TypeError",
                      "The only supported seed types are: None,\nint, float, str, bytes, and "
                      "bytearray.");
  }
  return Value::none();
}
Value generator_random(NativeCall& call) {
  return Value(generator_of(call).random());
}
Value generator_bits(NativeCall& call) {
  int64_t count = 0;
  if (!int_argument(call, 1, count)) return Value();
  if (count < 0) return call.raise("ValueError", "number of bits must be non-negative");
  if (count == 0) return int_value(0);
  if (count > 63) return call.raise("OverflowError", "int too large: an int has 64 bits here");
  return int_value(static_cast<int64_t>(generator_of(call).bits(static_cast<int>(count))));
}
Value generator_getstate(NativeCall& call) {
  std::vector<Value> words;
  for (uint32_t word : generator_of(call).words()) words.push_back(int_value(word));
  words.push_back(int_value(static_cast<int64_t>(generator_of(call).position())));
  return Value(make_tuple(std::move(words)));
}
Value generator_setstate(NativeCall& call) {
  auto* words = call[1].try_as<TupleObject>();
  if (!words || words->items.size() != PythonRandom::kWords + 1)
    return call.raise("ValueError", "state vector is the wrong size");
  for (size_t i = 0; i < PythonRandom::kWords; ++i)
    generator_of(call).words()[i] = static_cast<uint32_t>(words->items[i].as_int());
  generator_of(call).position() = static_cast<size_t>(words->items.back().as_int());
  return Value::none();
}

constexpr NativeDefinition kGenerator[] = {
    {"seed(self, a=None, /)", generator_seed, kImpure, "starts a sequence"},
    {"random(self, /)", generator_random, kImpure, "a float in [0, 1)"},
    {"getrandbits(self, k, /)", generator_bits, kImpure, "an int of k random bits"},
    {"getstate(self, /)", generator_getstate, kImpure, "the state as a tuple"},
    {"setstate(self, state, /)", generator_setstate, kImpure, "goes back to a state"},
};

}  // namespace

void fill_sys(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kSys);
  DictObject& names = *module.dict;
  auto set_default = [&](std::string_view name, Value value) {
    if (!names.find(name)) names.set(name, std::move(value));
  };
  set_default("argv", Value(make_list({str_value("")})));
  set_default("path", Value(make_list()));
  set_default("modules", Value(Ref<DictObject>(&in.modules())));
  set_default("maxsize", int_value(INT64_MAX));
  set_default("byteorder", str_value("little"));
  set_default("platform", str_value("linux"));
  std::error_code unknown;
  set_default("executable", str_value(fs::read_symlink("/proc/self/exe", unknown).string()));
  set_default("version", str_value("3.11.0 (Glint)"));
  set_default("version_info", Value(make_tuple({int_value(3), int_value(11), int_value(0),
                                                str_value("final"), int_value(0)})));
  for (auto [name, own, descriptor] :
       {std::tuple("stdin", "__stdin__", 0), std::tuple("stdout", "__stdout__", 1),
        std::tuple("stderr", "__stderr__", 2)}) {
    Value stream = stream_value(in, descriptor, fmt::format("<{}>", name));
    set_default(own, stream);
    set_default(name, stream);
  }
}

void fill_gc(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kGc);
}

void fill_os(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kOs);
  Ref<DictObject> variables = make_dict();
  for (char** at = environ; at && *at; ++at) {
    std::string_view entry = *at;
    size_t equals_sign = entry.find('=');
    if (equals_sign != std::string_view::npos)
      variables->set(entry.substr(0, equals_sign),
                     str_value(std::string(entry.substr(equals_sign + 1))));
  }
  module.dict->set("environ", Value(std::move(variables)));
}

void fill_random(Interpreter& in, ModuleObject& module) {
  Ref<ClassObject> cls = in.new_class("Generator", in.classes().object, kNativeDataKind, "_random");
  in.add_methods(*cls, kGenerator);
  set_constructor(*cls, {"Generator()", make_generator, kImpure, "a generator of random numbers"});
  cls->construct->data = Value(cls);
  module.dict->set("Generator", Value(cls));
}

}  // namespace glint::runtime
