// `_storage`: the memory of tensors as the bytes of a file, for `torch.save` and `torch.load`
// (library/torch/serialization.py).
//
//     flat = _storage.flat(x[1])               all of the memory that x[1] shows a part of
//     _storage.write(file, flat)
//     again, checksum = _storage.read(file, 6, torch.float32)
//     _storage.placed(again, 3, (3,), (1,))    x[1], of that memory
//
// What a file says is not believed: sizes that leave the memory raise.
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/tensor/float16.h"
#include "ops/call.h"
#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/mapped_file.h"
#include "runtime/interpreter/os_errors.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

/// The tensor of an argument, with its memory; undefined handle if it raised.
Tensor tensor_argument(NativeCall& call, size_t place) {
  if (!is_tensor(call[place])) {
    call.raise("TypeError", fmt::format("a tensor is needed, not '{}'", type_name(call[place])));
    return Tensor();
  }
  Tensor tensor = tensor_of(call[place]);
  return call.interpreter.demand_value(tensor) ? tensor : Tensor();
}

/// The checksum that zip archives keep, of bytes that may be more than zlib takes at once.
uint32_t checksum_of(const std::byte* data, size_t bytes) {
  uLong sum = crc32_z(0, nullptr, 0);
  return static_cast<uint32_t>(crc32_z(sum, reinterpret_cast<const Bytef*>(data), bytes));
}

Value checksum(NativeCall& call) {
  if (const auto* bytes = call[0].try_as<BytesObject>())
    return int_value(
        checksum_of(reinterpret_cast<const std::byte*>(bytes->data.data()), bytes->data.size()));
  const Tensor flat = tensor_argument(call, 0);
  return flat.defined() ? int_value(checksum_of(flat->data, flat.bytes())) : Value();
}

/// `checksum` and `adler32` of bytes that come behind others, whose sum is `before`.
template <uLong (*kSum)(uLong, const Bytef*, z_size_t)>
Value running_sum(NativeCall& call) {
  const auto* bytes = call[0].try_as<BytesObject>();
  if (!bytes)
    return call.raise("TypeError",
                      fmt::format("a bytes-like object is required, not '{}'", type_name(call[0])));
  int64_t before = 0;
  if (!int_argument(call, 1, before)) return Value();
  const auto* data = reinterpret_cast<const Bytef*>(bytes->data.data());
  return int_value(
      static_cast<int64_t>(kSum(static_cast<uint32_t>(before), data, bytes->data.size())));
}

/// Bytes as zip archives hold what they compress: by DEFLATE, without a frame around.
constexpr int kWithoutFrame = -MAX_WBITS;
constexpr int64_t kMostPacked = 0x7fffffff;  ///< bytes that zlib takes at once

std::string_view bytes_of(const Value& value) {
  const auto* bytes = value.try_as<BytesObject>();
  return bytes ? std::string_view(bytes->data) : std::string_view();
}

Value deflated(NativeCall& call) {
  const std::string_view data = bytes_of(call[0]);
  int64_t level = 0;
  if (!int_argument(call, 1, level)) return Value();
  z_stream stream{};
  constexpr int kUsualMemory = 8;
  if (deflateInit2(&stream, static_cast<int>(level), Z_DEFLATED, kWithoutFrame, kUsualMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return call.raise("ValueError", "Invalid initialization option");
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = data.size() > kMostPacked ? Z_BUF_ERROR : deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return call.raise("OverflowError", "too much to compress at once");
  return Value(make_ref<BytesObject>(std::move(out)));
}

/// So many bytes again; what is no such data raises ValueError.
Value inflated(NativeCall& call) {
  const std::string_view data = bytes_of(call[0]);
  int64_t size = 0;
  if (!int_argument(call, 1, size)) return Value();
  if (size < 0 || size > kMostPacked || data.size() > kMostPacked)
    return call.raise("OverflowError", "too much to decompress at once");
  std::string out(static_cast<size_t>(size), '\0');
  z_stream stream{};
  inflateInit2(&stream, kWithoutFrame);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool whole = result == Z_STREAM_END && stream.total_out == out.size();
  inflateEnd(&stream);
  if (!whole) return call.raise("ValueError", "the compressed data is damaged");
  return Value(make_ref<BytesObject>(std::move(out)));
}

/// What compressed data from a place on becomes, however much that is, and the place behind it: the
/// whole of it is in `data`, or EOFError is raised.
Value inflated_from(NativeCall& call) {
  const std::string_view data = bytes_of(call[0]);
  int64_t from = 0;
  if (!int_argument(call, 1, from)) return Value();
  if (data.size() > kMostPacked || from < 0 || static_cast<size_t>(from) > data.size())
    return call.raise("OverflowError", "too much to decompress at once");
  constexpr size_t kStep = 1 << 16;
  std::string out;
  z_stream stream{};
  inflateInit2(&stream, kWithoutFrame);
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(data.data() + static_cast<size_t>(from)));
  stream.avail_in = static_cast<uInt>(data.size() - static_cast<size_t>(from));
  int result = Z_OK;
  while (result == Z_OK) {
    const size_t known = stream.total_out;
    out.resize(std::max(known + kStep, 2 * known));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + known);
    stream.avail_out = static_cast<uInt>(std::min<size_t>(out.size() - known, kMostPacked));
    result = inflate(&stream, Z_NO_FLUSH);
  }
  out.resize(stream.total_out);
  const auto end = from + static_cast<int64_t>(stream.total_in);
  inflateEnd(&stream);
  if (result == Z_BUF_ERROR)
    return call.raise("EOFError",
                      "Compressed file ended before the end-of-stream marker was reached");
  if (result != Z_STREAM_END) return call.raise("ValueError", "the compressed data is damaged");
  return Value(make_tuple({Value(make_ref<BytesObject>(std::move(out))), int_value(end)}));
}

/// Which memory it is: two tensors that share theirs have one number.
Value key(NativeCall& call) {
  const Tensor tensor = tensor_argument(call, 0);
  if (!tensor.defined()) return Value();
  return int_value(reinterpret_cast<intptr_t>(tensor->storage.get()));
}

Value flat(NativeCall& call) {
  const Tensor tensor = tensor_argument(call, 0);
  if (!tensor.defined()) return Value();
  const auto count = static_cast<int64_t>(tensor->storage->bytes() / tensor.element_size());
  return Value(Tensor::view_of(tensor, {count}, {1}, 0).take());
}

FileObject* file_of(NativeCall& call) {
  // Only a file of the language's own: `write` is handed memory, not an object.
  auto* file = call[0].is_object() ? dynamic_cast<FileObject*>(call[0].object()) : nullptr;
  if (file && file->stream) return file;
  call.raise("ValueError", "I/O operation on closed file.");
  return nullptr;
}

/// A file in memory, or whatever else a script has given `write` and `read`.
bool is_scripted_file(const Value& file) {
  return file.is<InstanceObject>();
}

Value write(NativeCall& call) {
  const Tensor flat = tensor_argument(call, 1);
  if (is_scripted_file(call[0]) && flat.defined())
    return call.interpreter.call_method(
        call[0], "write",
        {Value(make_ref<BytesObject>(
            std::string(reinterpret_cast<const char*>(flat->data), flat.bytes())))});
  FileObject* file = file_of(call);
  if (!file || !flat.defined()) return Value();
  if (std::fwrite(flat->data, 1, flat.bytes(), file->stream) != flat.bytes())
    return raise_os_error(call.interpreter, errno, file->name);
  return Value::none();
}

/// Fills the tensor from the file; how many bytes there were, or nothing, and raised.
std::optional<size_t> read_into(NativeCall& call, Tensor& made) {
  if (!is_scripted_file(call[0])) {
    FileObject* file = file_of(call);
    if (!file) return std::nullopt;
    return std::fread(made->data, 1, made.bytes(), file->stream);
  }
  const Value bytes = call.interpreter.call_method(call[0], "read",
                                                   {int_value(static_cast<int64_t>(made.bytes()))});
  if (bytes.is_undefined()) return std::nullopt;
  if (!bytes.is<BytesObject>()) {
    call.raise("TypeError", "read() should return bytes, not " + type_name(bytes));
    return std::nullopt;
  }
  const std::string& data = bytes.as<BytesObject>()->data;
  std::memcpy(made->data, data.data(), std::min(data.size(), made.bytes()));
  return data.size();
}

Value read(NativeCall& call) {
  int64_t count = 0;
  if (!int_argument(call, 1, count)) return Value();
  const auto dtype = dtype_of(call[2]);
  if (!dtype || count < 0) return call.raise("TypeError", "a count and a dtype are needed");
  try {
    Tensor made = Tensor::empty({count}, *dtype);
    const auto found = read_into(call, made);
    if (!found) return Value();
    if (*found != made.bytes()) return call.raise("EOFError", "the file ends within a tensor");
    const uint32_t sum = checksum_of(made->data, made.bytes());
    // A bool of another byte than 0 and 1 is none.
    if (*dtype == DType::kBool)
      for (int64_t i = 0; i < count; ++i) made->data[i] = std::byte{made->data[i] != std::byte{0}};
    return Value(make_tuple({Value(std::move(made).take()), int_value(sum)}));
  } catch (const ops::OpError& error) {
    return raise_op_error(call.interpreter, error);
  }
}

bool read_dims(NativeCall& call, size_t place, Dims& out) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[place], items)) return false;
  for (const Value& item : items) {
    if (!item.is_int() || item.as_int() < 0) {
      call.raise("RuntimeError", "sizes and strides of a tensor must be ints from 0 on");
      return false;
    }
    out.push_back(item.as_int());
  }
  return true;
}

/// One behind the last element that a tensor reaches; nothing where that is no number.
std::optional<int64_t> reach(IntSpan sizes, IntSpan strides, int64_t offset) {
  if (std::ranges::find(sizes, 0) != sizes.end()) return offset;
  int64_t end = 0, elements = 1;
  if (__builtin_add_overflow(offset, 1, &end)) return std::nullopt;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t span = 0;
    if (__builtin_mul_overflow(elements, sizes[i], &elements) ||
        __builtin_mul_overflow(sizes[i] - 1, strides[i], &span) ||
        __builtin_add_overflow(end, span, &end))
      return std::nullopt;
  }
  return end;
}

Value placed(NativeCall& call) {
  const Tensor flat = tensor_argument(call, 0);
  int64_t offset = 0;
  Dims sizes, strides;
  if (!flat.defined() || !int_argument(call, 1, offset) || !read_dims(call, 2, sizes) ||
      !read_dims(call, 3, strides))
    return Value();
  constexpr size_t kMostDimensions = 64;
  const bool agree =
      sizes.size() == strides.size() && sizes.size() <= kMostDimensions && offset >= 0;
  const auto end = agree ? reach(sizes, strides, offset) : std::nullopt;
  if (!end || *end > flat.numel())
    return call.raise(
        "RuntimeError",
        fmt::format("a tensor reaches beyond its storage of {} elements", flat.numel()));
  return Value(Tensor::view_of(flat, sizes, strides, offset).take());
}

/// The same memory, its bytes read as another dtype: of another size only along rows without gaps.
Value of_dtype(NativeCall& call) {
  const Tensor tensor = tensor_argument(call, 0);
  const auto dtype = dtype_of(call[1]);
  if (!tensor.defined() || !dtype) return Value();
  Dims sizes(tensor.sizes()), strides(tensor.strides());
  const auto from = static_cast<int64_t>(tensor.element_size());
  const auto to = static_cast<int64_t>(dtype_size(*dtype));
  auto rescaled = [&](int64_t elements) { return elements * from / to; };
  for (size_t i = 0; i + 1 < strides.size(); ++i) strides[i] = rescaled(strides[i]);
  if (!sizes.empty()) sizes.back() = rescaled(sizes.back());
  Tensor made = Tensor::view_of(tensor, sizes, strides, 0);
  made->dtype = *dtype;
  made->offset = rescaled(tensor->offset);
  made->data = tensor->data;
  return Value(std::move(made).take());
}

Value mapped(NativeCall& call) {
  std::string_view path;
  int64_t offset = 0, count = 0;
  if (!text_argument(call, 0, path) || !int_argument(call, 2, offset) ||
      !int_argument(call, 3, count))
    return Value();
  const auto dtype = dtype_of(call[1]);
  if (!dtype || *dtype == DType::kBool)
    return call.raise("TypeError", "a dtype of numbers is needed");
  const int is_shared = truth(call.interpreter, call[4]);
  if (is_shared < 0) return Value();
  int error = 0;
  const Tensor made = mapped_file(std::string(path), *dtype, offset, count, is_shared == 1, error);
  if (error == EINVAL) return call.raise("ValueError", "mmap length is greater than file size");
  if (!made.defined()) return raise_os_error(call.interpreter, error, std::string(path));
  return Value(Tensor(made).take());
}

/// Towards zero, and odd where that is not exact: what is rounded again is rounded as if once.
float rounded_to_odd(double number) {
  const auto nearest = static_cast<float>(number);
  if (!std::isfinite(nearest) || nearest == number) return nearest;
  const float inner =
      std::abs(nearest) > std::abs(number) ? std::nextafter(nearest, 0.0F) : nearest;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(inner) | 1U);
}

/// The bits of a number in so many bytes, rounded; nothing where it is too large for them.
std::optional<uint64_t> float_bits(double number, int64_t size) {
  if (size == 8) return std::bit_cast<uint64_t>(number);
  const auto single = static_cast<float>(number);
  const uint64_t bits =
      size == 4 ? std::bit_cast<uint32_t>(single) : float_to_float16_bits(rounded_to_odd(number));
  const bool is_infinite = size == 4 ? std::isinf(single) : (bits & 0x7fffU) == 0x7c00U;
  if (is_infinite && std::isfinite(number)) return std::nullopt;
  return bits;
}

/// As pickles and `struct` hold it: 8, 4 or 2 bytes, the most significant first.
Value bytes_of_float(NativeCall& call) {
  int64_t size = 0;
  if (!call[0].is_float())
    return call.raise("TypeError", fmt::format("must be float, not {}", type_name(call[0])));
  if (!int_argument(call, 1, size)) return Value();
  const auto bits = float_bits(call[0].as_float(), size);
  if (!bits) return call.raise("OverflowError", "float too large to pack");
  std::string data;
  for (int64_t i = size - 1; i >= 0; --i) data += static_cast<char>(*bits >> (8 * i));
  return Value(make_ref<BytesObject>(std::move(data)));
}
Value float_of_bytes(NativeCall& call) {
  const auto* bytes = call[0].try_as<BytesObject>();
  const size_t size = bytes ? bytes->data.size() : 0;
  if (size != 8 && size != 4 && size != 2)
    return call.raise("ValueError", "a float has eight, four or two bytes");
  uint64_t bits = 0;
  for (const char each : bytes->data) bits = bits << 8 | static_cast<uint8_t>(each);
  if (size == 8) return Value(std::bit_cast<double>(bits));
  if (size == 4)
    return Value(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
  return Value(static_cast<double>(float16_bits_to_float(static_cast<uint16_t>(bits))));
}

constexpr NativeDefinition kNatives[] = {
    {"checksum(data, /)", checksum, kImpure, "the CRC-32 of bytes, or of a flat tensor's memory"},
    {"crc32(data, before, /)", running_sum<crc32_z>, kImpure, "the CRC-32 of bytes behind others"},
    {"adler32(data, before, /)", running_sum<adler32_z>, kImpure, "likewise Adler's sum"},
    {"deflated(data, level=-1, /)", deflated, kImpure, "bytes, compressed"},
    {"inflated(data, size, /)", inflated, kImpure, "so many bytes of what was compressed"},
    {"inflated_from(data, from, /)", inflated_from, kImpure, "all bytes of it, and where it ends"},
    {"key(tensor, /)", key, kImpure, "which memory it is"},
    {"flat(tensor, /)", flat, kImpure, "all of the memory that it shows a part of"},
    {"write(file, flat, /)", write, kImpure, "writes a flat tensor's bytes"},
    {"read(file, count, dtype, /)", read, kImpure, "a flat tensor of a file, and its CRC-32"},
    {"mapped(path, dtype, offset, count, shared, /)", mapped, kImpure,
     "a flat tensor over a file's bytes; what is written goes into the file where it is shared"},
    {"placed(flat, offset, size, stride, /)", placed, kImpure, "a tensor of that memory"},
    {"of_dtype(tensor, dtype, /)", of_dtype, kImpure, "the same bytes as another dtype"},
    {"bytes_of_float(number, size=8, /)", bytes_of_float, kImpure, "its bytes, the first the most"},
    {"float_of_bytes(data, /)", float_of_bytes, kImpure, "the number of such bytes"},
};

}  // namespace

void fill_storage(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kNatives);
}

}  // namespace glint::runtime
