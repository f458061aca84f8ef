// Memory of the stand-in device, for the stand-in libraries: elements are copied here, computed
// with, and copied back, by the functions of the driver that the program has loaded.
//
//     DriverMemory& memory = DriverMemory::open();
//     memory.finish(stream);                                  // what was asked for before is done
//     std::vector<double> a = memory.read(address, type, count);
//     memory.write(address, type, values);                    // rounded once
//     memory.log("cublasLtMatmul 64 32 128");                 // a line in the file
//     FAKE_LIBRARIES_LOG
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace glint::driver {

enum class ElementType { kFloat16, kBFloat16, kFloat32, kFloat64 };
size_t bytes_of(ElementType type);
/// As memory of the type holds it.
double rounded(double value, ElementType type);
/// To 10 bits of fraction.
float rounded_to_tf32(float value);

class DriverMemory {
 public:
  static DriverMemory& open();

  /// Each is false where the driver says that something is wrong.
  bool finish(void* stream) const;
  bool read(const void* address, ElementType type, std::vector<double>& values) const;
  bool write(void* address, ElementType type, const std::vector<double>& values) const;
  /// Fills memory with what nobody should read.
  bool spoil(void* address, size_t bytes) const;
  static void log(const std::string& line);

 private:
  DriverMemory();
  int (*to_device_)(unsigned long long target, const void* source, size_t bytes) = nullptr;
  int (*from_device_)(void* target, unsigned long long source, size_t bytes) = nullptr;
  int (*wait_)(void* stream) = nullptr;
};

}  // namespace glint::driver
