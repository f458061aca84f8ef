#include "backends/cuda/compile/machine_code.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/libraries/toolkit.h"
#include "backends/kept_text.h"

extern char** environ;

namespace glint::cuda {
namespace {

namespace fs = std::filesystem;

/// Records of `.nv.info`: a byte says how its value is stored, a byte what it is.
constexpr uint8_t kSizedValue = 4;
constexpr uint8_t kRegisterCount = 0x2f;

/// A structure at an offset of the file; nothing where it would reach beyond the end.
template <class T>
std::optional<T> read_at(std::string_view bytes, size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string text_at(std::string_view bytes, size_t offset) {
  if (offset >= bytes.size()) return "";
  const std::string_view rest = bytes.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

/// The sections of an ELF file.
class ElfFile {
 public:
  explicit ElfFile(std::string_view bytes) : bytes_(bytes) {
    const auto header = read_at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    for (size_t i = 0; i < header->e_shnum; ++i)
      if (auto section = read_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr)))
        sections_.push_back(*section);
    names_ = contents(header->e_shstrndx);
  }

  std::string_view named(std::string_view name) const {
    for (size_t i = 0; i < sections_.size(); ++i)
      if (text_at(names_, sections_[i].sh_name) == name) return contents(i);
    return {};
  }

 private:
  std::string_view contents(size_t which) const {
    if (which >= sections_.size() || sections_[which].sh_offset > bytes_.size()) return {};
    return bytes_.substr(sections_[which].sh_offset, sections_[which].sh_size);
  }

  std::string_view bytes_, names_;
  std::vector<Elf64_Shdr> sections_;
};

std::string symbol_name(const ElfFile& file, uint32_t symbol) {
  const auto found = read_at<Elf64_Sym>(file.named(".symtab"), symbol * sizeof(Elf64_Sym));
  return found ? text_at(file.named(".strtab"), found->st_name) : "";
}

/// A file that goes with its name.
class ScratchFile {
 public:
  ScratchFile() {
    std::string name = (fs::temp_directory_path() / "glint-XXXXXX").string();
    if (const int file = mkstemp(name.data()); file >= 0) {
      close(file);
      path = name;
    }
  }
  ~ScratchFile() { unlink(path.c_str()); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  std::string path;  ///< empty: it could not be made
};

/// Runs a program, what it prints into a file; whether it ended well.
bool run_into(const std::vector<std::string>& words, const std::string& file) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file.c_str(), O_WRONLY | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int fault = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return fault == 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

std::map<std::string, uint32_t> registers_of(std::string_view cubin) {
  std::map<std::string, uint32_t> registers;
  const ElfFile file(cubin);
  const std::string_view info = file.named(".nv.info");
  for (size_t at = 0; at + 4 <= info.size();) {
    const bool sized = static_cast<uint8_t>(info[at]) == kSizedValue;
    const size_t length = sized ? *read_at<uint16_t>(info, at + 2) : 0;
    if (sized && static_cast<uint8_t>(info[at + 1]) == kRegisterCount) {
      const auto symbol = read_at<uint32_t>(info, at + 4);
      const auto count = read_at<uint32_t>(info, at + 8);
      if (symbol && count) registers[symbol_name(file, *symbol)] = *count;
    }
    at += 4 + length;
  }
  return registers;
}

Result<MachineCode> machine_code(const std::string& source, const std::string& architecture) {
  // What was kept is shown where it could be made, so that one machine always says the same.
  if (const auto& nvrtc = load_nvrtc(); !nvrtc) return nvrtc.error();
  const std::string real = "sm_" + architecture.substr(architecture.find('_') + 1);
  auto output = code_of_text(source, real, folders_for_includes(source));
  if (!output) return output.error();
  if (output->cubin.empty()) {
    const std::vector<Diagnostic>& said = output->diagnostics;
    const auto error = std::ranges::find_if(said, &Diagnostic::is_error);
    const std::string why = error == said.end() ? "" : ": " + print(*error);
    return Error{fmt::format("NVRTC makes no machine code for {}{}", real, why)};
  }
  MachineCode code{std::move(output->cubin), {}};
  code.registers = registers_of(code.cubin);
  return code;
}

Result<std::string> find_disassembler() {
  if (auto found = find_tool("nvdisasm")) return std::move(*found);
  return Error{
      "nvdisasm, CUDA's disassembler, was not found; `pip install nvidia-cuda-nvdisasm` brings it"};
}

Result<std::string> disassembly(std::string_view cubin) {
  auto tool = find_disassembler();
  if (!tool) return tool.error();
  const std::string key = fmt::format("{}\n{}", *tool, cubin);
  if (auto kept = find_text(KeptKind::kSass, key)) return std::move(*kept);
  const ScratchFile binary, text;
  std::ofstream(binary.path, std::ios::binary) << cubin;
  if (!run_into({*tool, "-c", "-gi", binary.path}, text.path))
    return Error{fmt::format("`{}` does not read what NVRTC made", *tool)};
  std::ostringstream read;
  read << std::ifstream(text.path).rdbuf();
  keep_text(KeptKind::kSass, key, read.str());
  return read.str();
}

}  // namespace glint::cuda
