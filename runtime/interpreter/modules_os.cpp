// `_os`: what the library asks of the system about files, the process and its surroundings.
//
//     _os.stat("notes.txt")     (33188, 1048602, ..., 12, 1700000000.5, ...)
//
// library/os, library/pathlib and others make of it what scripts see.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/os_errors.h"

extern char** environ;

namespace glint::runtime {
namespace {

namespace fs = std::filesystem;

// ---- Paths -------------------------------------------------------------------------------------

/// What a native says when an argument is no path: `mkdir: path should be ..., not int`.
struct PathWords {
  std::string_view kinds = "string, bytes or os.PathLike";
  bool of_stat = false;  ///< it speaks of what `stat` takes; else of its own parameter
};
constexpr PathWords kOfStat{"string, bytes, os.PathLike or integer", true};
constexpr PathWords kOfWorkingFolder{"string, bytes, os.PathLike or integer"};
constexpr PathWords kOfListing{"string, bytes, os.PathLike, integer or None"};

/// The text of a path: a str, bytes, or what `__fspath__` gives. False if it raised.
bool path_argument(NativeCall& call, size_t index, std::string& out, PathWords words = {}) {
  Interpreter& in = call.interpreter;
  const Value& path = call[index];
  if (!is_str(path) && !path.is<BytesObject>() && !class_of(path)->lookup("__fspath__")) {
    const NativeSignature& signature = call.function->signature;
    const std::string_view function = words.of_stat ? "stat" : std::string_view(signature.name);
    const std::string_view parameter =
        words.of_stat ? "path" : std::string_view(signature.parameters[index].name);
    in.raise("TypeError", fmt::format("{}: {} should be {}, not {}", function, parameter,
                                      words.kinds, type_name(path)));
    return false;
  }
  return path_of(in, path, out);
}

Value raise_errno(NativeCall& call, const std::string& path) {
  return raise_os_error(call.interpreter, errno, path);
}

/// `true` follows links.
bool stat_of(const std::string& path, bool follow, struct stat& out) {
  return (follow ? ::stat(path.c_str(), &out) : ::lstat(path.c_str(), &out)) == 0;
}

/// What a file is; of one that is not there, and of a name that none can have, nothing.
template <bool (*kIs)(mode_t), bool kFollow>
Value path_question(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path, kOfStat)) {
    if (!call.interpreter.pending_is("ValueError")) return Value();
    call.interpreter.take_pending();
    return Value(false);
  }
  struct stat info = {};
  return Value(stat_of(path, kFollow, info) && kIs(info.st_mode));
}
bool is_anything(mode_t) {
  return true;
}
bool is_file(mode_t mode) {
  return S_ISREG(mode);
}
bool is_folder(mode_t mode) {
  return S_ISDIR(mode);
}
bool is_link(mode_t mode) {
  return S_ISLNK(mode);
}

Value seconds(const timespec& time) {
  return Value(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9);
}
Value nanoseconds(const timespec& time) {
  return int_value(int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec);
}
Value os_stat(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path, kOfStat)) return Value();
  struct stat info = {};
  if (!stat_of(path, truth(call.interpreter, call[1]) == 1, info)) return raise_errno(call, path);
  return Value(make_tuple({int_value(info.st_mode), int_value(static_cast<int64_t>(info.st_ino)),
                           int_value(static_cast<int64_t>(info.st_dev)),
                           int_value(static_cast<int64_t>(info.st_nlink)), int_value(info.st_uid),
                           int_value(info.st_gid), int_value(info.st_size), seconds(info.st_atim),
                           seconds(info.st_mtim), seconds(info.st_ctim), nanoseconds(info.st_atim),
                           nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)}));
}

Value os_fspath(NativeCall& call) {
  return path_text(call.interpreter, call[0]);
}

Value os_getcwd(NativeCall& call) {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  return error ? raise_os_error(call.interpreter, error.value()) : str_value(folder.string());
}
Value os_chdir(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path, kOfWorkingFolder)) return Value();
  return ::chdir(path.c_str()) == 0 ? Value::none() : raise_errno(call, path);
}
Value os_listdir(NativeCall& call) {
  std::string path = ".";
  if (given_not_none(call[0]) && !path_argument(call, 0, path, kOfListing)) return Value();
  std::error_code error;
  std::vector<Value> names;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    names.push_back(str_value(at->path().filename().string()));
  if (error) return raise_os_error(call.interpreter, error.value(), path);
  return Value(make_list(std::move(names)));
}

// ---- What changes files ------------------------------------------------------------------------

template <int (*kAction)(const char*)>
Value path_action(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path)) return Value();
  return kAction(path.c_str()) == 0 ? Value::none() : raise_errno(call, path);
}
template <int (*kAction)(const char*, mode_t)>
Value mode_action(NativeCall& call) {
  std::string path;
  int64_t mode = 0;
  if (!path_argument(call, 0, path) || !int_argument(call, 1, mode)) return Value();
  return kAction(path.c_str(), static_cast<mode_t>(mode)) == 0 ? Value::none()
                                                               : raise_errno(call, path);
}
template <int (*kAction)(const char*, const char*)>
Value pair_action(NativeCall& call) {
  std::string from, to;
  if (!path_argument(call, 0, from) || !path_argument(call, 1, to)) return Value();
  return kAction(from.c_str(), to.c_str()) == 0 ? Value::none()
                                                : raise_os_error(call.interpreter, errno, from, to);
}
Value os_readlink(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path)) return Value();
  std::error_code error;
  const fs::path target = fs::read_symlink(path, error);
  return error ? raise_os_error(call.interpreter, error.value(), path) : str_value(target.string());
}
/// Makes an empty file, which must not be there before where it is `exclusive`.
Value os_create(NativeCall& call) {
  std::string path;
  int64_t mode = 0;
  if (!path_argument(call, 0, path) || !int_argument(call, 1, mode)) return Value();
  const int exclusive = truth(call.interpreter, call[2]) == 1 ? O_EXCL : 0;
  const int descriptor =
      ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | exclusive, static_cast<mode_t>(mode));
  if (descriptor < 0) return raise_errno(call, path);
  ::close(descriptor);
  return Value::none();
}
Value os_access(NativeCall& call) {
  std::string path;
  int64_t mode = 0;
  if (!path_argument(call, 0, path) || !int_argument(call, 1, mode)) return Value();
  return Value(::access(path.c_str(), static_cast<int>(mode)) == 0);
}
/// Sets when a file was last read and changed: to two numbers of seconds, or to now.
Value os_utime(NativeCall& call) {
  std::string path;
  if (!path_argument(call, 0, path)) return Value();
  timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_NOW}, {.tv_sec = 0, .tv_nsec = UTIME_NOW}};
  for (size_t i = 0; i < 2 && given_not_none(call[1]); ++i) {
    double given = 0;
    if (!float_argument(call, i + 1, given)) return Value();
    const double whole = std::floor(given);
    if (!(std::abs(whole) < 0x1p62))
      return call.raise("OverflowError", "timestamp out of range for platform time_t");
    times[i] = {.tv_sec = static_cast<time_t>(whole),
                .tv_nsec = static_cast<long>((given - whole) * 1e9)};
  }
  return ::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0 ? Value::none()
                                                            : raise_errno(call, path);
}

// ---- The process -------------------------------------------------------------------------------

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
    return raise_os_error(call.interpreter, errno);
  return Value(make_tuple({int_value(size.ws_col), int_value(size.ws_row)}));
}
Value os_cpu_count(NativeCall& call) {
  return int_value(std::thread::hardware_concurrency());
}

constexpr NativeDefinition kOs[] = {
    {"exists(path)", path_question<is_anything, true>, kImpure, "whether there is such a file"},
    {"lexists(path)", path_question<is_anything, false>, kImpure,
     "whether there is such a file, or a link that leads nowhere"},
    {"isfile(path)", path_question<is_file, true>, kImpure, "whether it is a file"},
    {"isdir(s)", path_question<is_folder, true>, kImpure, "whether it is a folder"},
    {"islink(path)", path_question<is_link, false>, kImpure, "whether it is a symbolic link"},
    {"stat(path, follow_symlinks=True, /)", os_stat, kImpure, "what the system knows of a file"},
    {"fspath(path)", os_fspath, kImpure, "its text, or bytes"},
    {"getcwd()", os_getcwd, kImpure, "the working folder"},
    {"chdir(path)", os_chdir, kImpure, "changes the working folder"},
    {"listdir(path=None)", os_listdir, kImpure, "the names in a folder"},
    {"mkdir(path, mode=511)", mode_action<::mkdir>, kImpure, "makes a folder"},
    {"chmod(path, mode)", mode_action<::chmod>, kImpure, "says who may do what with a file"},
    {"remove(path)", path_action<::unlink>, kImpure, "removes a file"},
    {"rmdir(path)", path_action<::rmdir>, kImpure, "removes an empty folder"},
    {"rename(src, dst)", pair_action<std::rename>, kImpure, "renames a file"},
    {"link(src, dst)", pair_action<::link>, kImpure, "gives a file a further name"},
    {"symlink(src, dst, target_is_directory=False)", pair_action<::symlink>, kImpure,
     "makes a symbolic link"},
    {"readlink(path)", os_readlink, kImpure, "where a symbolic link leads"},
    {"create(path, mode=438, exclusive=True, /)", os_create, kImpure, "makes an empty file"},
    {"access(path, mode)", os_access, kImpure, "whether this process may do that with a file"},
    {"utime(path, read=None, changed=None, /)", os_utime, kImpure, "sets its times"},
    {"_exit(status)", os_exit, kImpure, "ends the process at once: nothing is flushed or called"},
    {"getpid()", os_getpid, kImpure, "the number of the process"},
    {"get_terminal_size(fd=1, /)", os_terminal_size, kImpure, "columns and lines of a terminal"},
    {"cpu_count()", os_cpu_count, kImpure, "how many processors there are"},
};

}  // namespace

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

}  // namespace glint::runtime
