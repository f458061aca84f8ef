#include "runtime/interpreter/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace glint::runtime {
namespace {

struct Mapping final : RefCounted {
  Mapping(void* begin, size_t size) : data(begin), bytes(size) {}
  ~Mapping() override { munmap(data, bytes); }
  void* data;
  size_t bytes;
};

class File {
 public:
  File(const std::string& path, bool writes)
      : number_(open(path.c_str(), (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC)) {}
  ~File() {
    if (number_ >= 0) close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int number() const { return number_; }
  /// -1 where it cannot be asked.
  int64_t bytes() const {
    struct stat found{};
    return fstat(number_, &found) == 0 ? found.st_size : -1;
  }

 private:
  int number_;
};

}  // namespace

Tensor mapped_file(const std::string& path, DType dtype, int64_t offset, int64_t count,
                   bool is_shared, int& error) {
  const File file(path, is_shared);
  const int64_t size = file.number() < 0 ? -1 : file.bytes();
  if (size < 0) return error = errno, Tensor();
  const auto element = static_cast<int64_t>(dtype_size(dtype));
  error = EINVAL;
  if (offset < 0 || count < 0 || offset > size || count > (size - offset) / element)
    return Tensor();
  Tensor base = Tensor::empty({0}, dtype);
  if (count > 0) {
    // A mapping begins at a page of the file.
    const int64_t before = offset % sysconf(_SC_PAGESIZE);
    const auto bytes = static_cast<size_t>(before + count * element);
    // Pages that nobody shares are copied when they are written.
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, is_shared ? MAP_SHARED : MAP_PRIVATE,
                      file.number(), offset - before);
    if (data == MAP_FAILED) return error = errno, Tensor();
    std::byte* first = static_cast<std::byte*>(data) + before;
    base->storage =
        Storage::wrap(first, static_cast<size_t>(count * element), make_ref<Mapping>(data, bytes));
    base->data = first;
  }
  error = 0;
  return Tensor::view_of(base, {count}, {1}, 0);
}

}  // namespace glint::runtime
