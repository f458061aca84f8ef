#include "tests/driver/libraries/driver_memory.h"

#include <dlfcn.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace glint::driver {
namespace {

template <class F>
void find(void* library, const char* name, F& function) {
  function = library == nullptr ? nullptr : reinterpret_cast<F>(dlsym(library, name));
  if (function != nullptr) return;
  std::fprintf(stderr, "the stand-in library finds no %s in libcuda.so.1\n", name);
  std::abort();
}

uint16_t bfloat16_bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return uint16_t((bits >> 16) | 0x40);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void store(std::byte* place, double value, ElementType type) {
  const auto put = [place](auto element) { std::memcpy(place, &element, sizeof(element)); };
  switch (type) {
    case ElementType::kFloat16:
      return put(static_cast<_Float16>(static_cast<float>(value)));
    case ElementType::kBFloat16:
      return put(bfloat16_bits(static_cast<float>(value)));
    case ElementType::kFloat32:
      return put(static_cast<float>(value));
    case ElementType::kFloat64:
      return put(value);
  }
}

double load(const std::byte* place, ElementType type) {
  const auto get = [place]<class T>(T element) {
    std::memcpy(&element, place, sizeof(element));
    return element;
  };
  switch (type) {
    case ElementType::kFloat16:
      return get(_Float16{});
    case ElementType::kBFloat16:
      return std::bit_cast<float>(uint32_t{get(uint16_t{})} << 16);
    case ElementType::kFloat32:
      return get(float{});
    case ElementType::kFloat64:
      break;
  }
  return get(double{});
}

}  // namespace

size_t bytes_of(ElementType type) {
  if (type == ElementType::kFloat64) return 8;
  return type == ElementType::kFloat32 ? 4 : 2;
}

double rounded(double value, ElementType type) {
  std::byte place[8];
  store(place, value, type);
  return load(place, type);
}

float rounded_to_tf32(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~uint32_t{0x1fff});
}

DriverMemory::DriverMemory() {
  // The one that the program opened; none is loaded for this.
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  find(library, "cuMemcpyHtoD_v2", to_device_);
  find(library, "cuMemcpyDtoH_v2", from_device_);
  find(library, "cuStreamSynchronize", wait_);
}

DriverMemory& DriverMemory::open() {
  static DriverMemory& opened = *new DriverMemory;
  return opened;
}

bool DriverMemory::finish(void* stream) const {
  return wait_(stream) == 0;
}

bool DriverMemory::read(const void* address, ElementType type, std::vector<double>& values) const {
  const size_t size = bytes_of(type);
  std::vector<std::byte> bytes(values.size() * size);
  if (from_device_(bytes.data(), reinterpret_cast<uint64_t>(address), bytes.size()) != 0)
    return false;
  for (size_t i = 0; i < values.size(); ++i) values[i] = load(bytes.data() + i * size, type);
  return true;
}

bool DriverMemory::write(void* address, ElementType type, const std::vector<double>& values) const {
  const size_t size = bytes_of(type);
  std::vector<std::byte> bytes(values.size() * size);
  for (size_t i = 0; i < values.size(); ++i) store(bytes.data() + i * size, values[i], type);
  return to_device_(reinterpret_cast<uint64_t>(address), bytes.data(), bytes.size()) == 0;
}

bool DriverMemory::spoil(void* address, size_t bytes) const {
  const std::vector<unsigned char> noise(bytes, 0xff);
  return to_device_(reinterpret_cast<uint64_t>(address), noise.data(), bytes) == 0;
}

void DriverMemory::log(const std::string& line) {
  const char* path = std::getenv("FAKE_LIBRARIES_LOG");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }
}

}  // namespace glint::driver
