#include "backends/cuda/kernels/draw_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "backends/cuda/device/device_memory.h"
#include "backends/cuda/device/launch_checks.h"
#include "backends/cuda/kernels/element_words.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/tensor/float16.h"

namespace glint::cuda {
namespace {

constexpr uint32_t kThreads = 256;

constexpr std::string_view kPhilox = R"(
using uint32 = unsigned int;
struct Four {
  uint32 x, y, z, w;
};

// Philox-4x32-10: ten rounds on a counter, which is (step, sequence), under the seed as key.
__device__ inline Four philox(unsigned long long seed, unsigned long long step,
                              unsigned long long sequence) {
  Four at = {(uint32)step, (uint32)(step >> 32), (uint32)sequence, (uint32)(sequence >> 32)};
  uint32 low_key = (uint32)seed;
  uint32 high_key = (uint32)(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const unsigned long long first = 0xd2511f53ull * at.x;
    const unsigned long long second = 0xcd9e8d57ull * at.z;
    at = {(uint32)(second >> 32) ^ at.y ^ low_key, (uint32)second,
          (uint32)(first >> 32) ^ at.w ^ high_key, (uint32)first};
    low_key += 0x9e3779b9u;
    high_key += 0xbb67ae85u;
  }
  return at;
}

// Uniform in (0, 1]: of 32 bits a float, of 53 a double.
__device__ inline float unit(uint32 bits) {
  return bits * 0x1p-32f + 0x1p-33f;
}
__device__ inline unsigned long long wide(uint32 low, uint32 high) {
  return low ^ ((unsigned long long)high << 21);
}
__device__ inline double unit(uint32 low, uint32 high) {
  return wide(low, high) * 0x1p-53 + 0x1p-54;
}
)";

/// Numbers that 128 bits become: their type, how many there are, and the text that makes `n0`,
/// `n1`.
struct Numbers {
  std::string_view type;
  int count;
  std::string_view text;
};

constexpr Numbers kUniform = {"float", 4, R"(
    const float n0 = unit(bits.x), n1 = unit(bits.y), n2 = unit(bits.z), n3 = unit(bits.w);)"};
constexpr Numbers kWideUniform = {"double", 2, R"(
    const double n0 = unit(bits.x, bits.y), n1 = unit(bits.z, bits.w);)"};
// Box-Muller: a length and an angle are two normal numbers.
constexpr Numbers kNormal = {"float", 4, R"(
    const float turn = 0x1p-32f * 6.2831855f;
    const float first = sqrtf(-2.0f * logf(unit(bits.x)));
    const float second = sqrtf(-2.0f * logf(unit(bits.z)));
    const float angle = fmaf(bits.y, turn, turn / 2), other = fmaf(bits.w, turn, turn / 2);
    const float n0 = __sinf(angle) * first, n1 = __cosf(angle) * first;
    const float n2 = __sinf(other) * second, n3 = __cosf(other) * second;)"};
constexpr Numbers kWideNormal = {"double", 2, R"(
    const double length = sqrt(-2.0 * log(unit(bits.x, bits.y)));
    const double half_turns = wide(bits.z, bits.w) * 0x1p-52 + 0x1p-53;
    const double n0 = sinpi(half_turns) * length, n1 = cospi(half_turns) * length;)"};
constexpr Numbers kBits = {"uint32", 4, R"(
    const uint32 n0 = bits.x, n1 = bits.y, n2 = bits.z, n3 = bits.w;)"};
constexpr Numbers kWideBits = {"unsigned long long", 2, R"(
    const unsigned long long n0 = (unsigned long long)bits.x << 32 | bits.y;
    const unsigned long long n1 = (unsigned long long)bits.z << 32 | bits.w;)"};

constexpr std::string_view kDraw = R"(
__device__ inline {memory} element_of({number} number, {first} a, {second} b, {first} c) {{
  {body}
}}

extern "C" __global__ void __launch_bounds__(256)
draw({memory}* out, unsigned long long seed, unsigned long long step, long long count,
     {first} a, {second} b, {first} c) {{
  const long long thread = (long long)blockIdx.x * 256 + threadIdx.x;
  const long long threads = (long long)gridDim.x * 256;
  for (long long i = thread; i < count; i += threads * {each}) {{
    const Four bits = philox(seed, step++, thread);{numbers}
{stores}  }}
}}
)";

/// A distribution: its numbers, and the types of its parameters; the third's is the first's.
struct Distribution {
  std::string_view name;  ///< a literal
  Numbers numbers;
  std::string_view first, second;
};

/// `body` makes an element of one of the numbers and the parameters.
std::string draw_text(const ElementWords& element, const Distribution& of,
                      const std::string& body) {
  std::string stores;
  for (int k = 0; k < of.numbers.count; ++k)
    stores += fmt::format(
        "    if (i + threads * {0} < count) out[i + threads * {0}] = element_of(n{0}, a, b, c);\n",
        k);
  return element.definitions() + std::string(kPhilox) +
         fmt::format(kDraw, fmt::arg("memory", element.memory()),
                     fmt::arg("number", of.numbers.type), fmt::arg("first", of.first),
                     fmt::arg("second", of.second), fmt::arg("body", body),
                     fmt::arg("each", of.numbers.count), fmt::arg("numbers", of.numbers.text),
                     fmt::arg("stores", stores));
}

/// The kernel of a name for a dtype, in a variant; its text is made once.
template <class F>
const TextKernel& kernel_of(std::string_view name, DType dtype, int64_t variant, const char* entry,
                            const F& text) {
  static auto& known =
      *new std::map<std::tuple<std::string_view, DType, int64_t>, const TextKernel*>;
  const TextKernel*& kernel = known[{name, dtype, variant}];
  if (kernel == nullptr) kernel = &text_kernel(text(ElementWords(dtype)), entry);
  return *kernel;
}

/// How a call of so many elements is dealt out.
struct Deal {
  int64_t blocks;
  uint64_t draws;  ///< of a thread, each of four numbers of the generator

  Deal(int64_t count, int64_t each) {
    const GpuProperties& device = need_gpu_beside_launches().properties();
    const int64_t held =
        int64_t{device.multiprocessors} * (device.threads_per_multiprocessor / kThreads);
    blocks = std::min(held, (count + kThreads - 1) / kThreads);
    draws = static_cast<uint64_t>((count - 1) / (blocks * kThreads * each) + 1);
  }
};

GpuArgument seed_of(const DeviceGenerator& from) {
  return gpu_argument(from.seed);
}
GpuArgument step_of(const DeviceGenerator& from) {
  return gpu_argument(from.offset / 4);
}

template <class F>
void launch(const Tensor& out, const Distribution& of,
            std::initializer_list<GpuArgument> parameters, DeviceGenerator& generator,
            const F& body) {
  if (out.numel() == 0) return;
  const Deal deal(out.numel(), of.numbers.count);
  const TextKernel& kernel =
      kernel_of(of.name, out.dtype(), of.numbers.count, "draw",
                [&](const ElementWords& element) { return draw_text(element, of, body(element)); });
  const DeviceGenerator from = generator.take(deal.draws * 4);
  std::vector<GpuArgument> arguments = {address(out, "out"), seed_of(from), step_of(from),
                                        gpu_argument(out.numel())};
  arguments.insert(arguments.end(), parameters.begin(), parameters.end());
  kernel.launch(deal.blocks, kThreads, std::move(arguments));
}

bool is_wide(const Tensor& tensor) {
  return tensor.dtype() == DType::kFloat64;
}

/// As the dtype holds it.
double rounded(double value, DType dtype) {
  if (dtype == DType::kFloat16) return float(Float16(float(value)));
  if (dtype == DType::kBFloat16) return float(BFloat16(float(value)));
  return dtype == DType::kFloat64 ? value : double(float(value));
}

/// A real distribution, of float32 numbers or of float64: parameters are of the type that it
/// computes in.
struct RealDistribution {
  std::string_view name;
  const Numbers& narrow;
  const Numbers& wide;
};

template <class F>
void launch_real(const Tensor& out, const RealDistribution& of, std::array<double, 3> parameters,
                 DeviceGenerator& generator, const F& body) {
  const Numbers& numbers = is_wide(out) ? of.wide : of.narrow;
  const auto number = [&](double given) {
    return is_wide(out) ? gpu_argument(given) : gpu_argument(float(given));
  };
  launch(out, {of.name, numbers, numbers.type, numbers.type},
         {number(parameters[0]), number(parameters[1]), number(parameters[2])}, generator, body);
}

std::string_view fused(const Tensor& out) {
  return is_wide(out) ? "fma" : "fmaf";
}

}  // namespace

std::string_view philox_text() {
  return kPhilox;
}

bool fills_its_memory(const Tensor& tensor) {
  std::vector<std::pair<int64_t, int64_t>> dims;  // strides and sizes
  for (int64_t i = 0; i < tensor.rank(); ++i)
    if (tensor.size(i) != 1) dims.emplace_back(tensor.stride(i), tensor.size(i));
  std::ranges::sort(dims);
  int64_t expected = 1;
  for (const auto& [stride, size] : dims) {
    if (stride != expected) return tensor.numel() == 0;
    expected *= size;
  }
  return true;
}

void draw_uniform(const Tensor& out, double from, double to, DeviceGenerator& generator) {
  const double low = rounded(from, out.dtype()), high = rounded(to, out.dtype());
  const double range = rounded(high - low, out.dtype());
  launch_real(out, {"uniform", kUniform, kWideUniform}, {low, range, high}, generator,
              [&](const ElementWords& element) {
                // The upper bound, which numbers in (0, 1] or rounding may reach, becomes the lower
                // one.
                return fmt::format("const {} made = {};\n  return {} == c ? {} : made;",
                                   element.memory(),
                                   element.write(fmt::format("{}(number, b, a)", fused(out))),
                                   element.read("made"), element.write("a"));
              });
}

void draw_normal(const Tensor& out, double mean, double deviation, DeviceGenerator& generator) {
  launch_real(out, {"normal", kNormal, kWideNormal}, {mean, deviation, 0}, generator,
              [&](const ElementWords& element) {
                const std::string value = fmt::format("{}(number, b, a)", fused(out));
                return fmt::format("return {};", element.write(value));
              });
}

void draw_exponential(const Tensor& out, double rate, DeviceGenerator& generator) {
  launch_real(out, {"exponential", kUniform, kWideUniform}, {rate, 0, 0}, generator,
              [&](const ElementWords& element) {
                // The logarithm of 1 would make a 0, which is not among exponential numbers.
                const std::string log = fmt::format("(number >= 1 - {0} ? -{0} : {1}(number))",
                                                    is_wide(out) ? "0x1p-53" : "0x1p-24f",
                                                    is_wide(out) ? "log" : "__logf");
                return fmt::format("return {};", element.write("-1 / a * " + log));
              });
}

void draw_integers(const Tensor& out, int64_t low, uint64_t range, bool of_64_bits,
                   DeviceGenerator& generator) {
  const auto body = [](const ElementWords& element) {
    const std::string value =
        fmt::format("({})(long long)(number % b + (unsigned long long)a)", element.value());
    return fmt::format("return {};", element.write(value));
  };
  if (of_64_bits)
    return launch(out, {"integers", kWideBits, "long long", "unsigned long long"},
                  {gpu_argument(low), gpu_argument(range), gpu_argument(low)}, generator, body);
  // Of 32 bits the division is one of 32 bits too.
  launch(out, {"integers", kBits, "long long", "uint32"},
         {gpu_argument(low), gpu_argument(static_cast<uint32_t>(range)), gpu_argument(low)},
         generator, body);
}

void draw_bernoulli(const Tensor& out, double probability, DeviceGenerator& generator) {
  launch_real(out, {"bernoulli", kUniform, kWideUniform}, {probability, 0, 0}, generator,
              [](const ElementWords& element) {
                const std::string value = fmt::format("({})(number < a)", element.value());
                return fmt::format("return {};", element.write(value));
              });
}

void draw_keys(const Tensor& keys, int bits, DeviceGenerator& generator) {
  // Of int32 from its least to below its greatest, or of int64 so; bits above those are dropped.
  const bool is_short = bits <= 32;
  const int64_t low = is_short ? INT32_MIN : INT64_MIN;
  const uint64_t range = is_short ? UINT32_MAX : UINT64_MAX;
  const int64_t mask = bits == 32 || bits == 64 ? -1 : (int64_t{1} << bits) - 1;
  launch(keys, {is_short ? "keys" : "long keys", kWideBits, "long long", "unsigned long long"},
         {gpu_argument(low), gpu_argument(range), gpu_argument(mask)}, generator,
         [&](const ElementWords&) {
           return fmt::format("return ({})(number % b + (unsigned long long)a) & c;",
                              is_short ? "int" : "long long");
         });
}

// ---- probabilities of a tensor -----------------------------------------------------------------

namespace {

// Four elements a thread, in their order.
constexpr std::string_view kBernoulli = R"(
extern "C" __global__ void __launch_bounds__(256)
bernoulli({memory}* __restrict__ out, const {memory}* __restrict__ p, int* status,
          unsigned long long seed, unsigned long long step, long long count) {{
  const long long threads = (long long)gridDim.x * 256;
  for (long long thread = (long long)blockIdx.x * 256 + threadIdx.x; thread * 4 < count;
       thread += threads) {{
    const Four bits = philox(seed, step, thread);
    const uint32 words[4] = {{bits.x, bits.y, bits.z, bits.w}};
    #pragma unroll
    for (int k = 0; k < 4; ++k) {{
      const long long i = thread * 4 + k;
      if (i >= count) break;
      const {value} probability = {read};
      if (!(probability >= 0 && probability <= 1)) *status = 1;
      out[i] = {write};
    }}
  }}
}}
)";

// A thread's numbers are for {each} elements side by side, then for {each} behind all threads'.
constexpr std::string_view kDropout = R"(
extern "C" __global__ void __launch_bounds__(256)
dropout(const {memory}* __restrict__ x, {memory}* __restrict__ out, bool* __restrict__ mask,
        unsigned long long seed, unsigned long long step, long long count, {value} kept,
        {value} scale) {{
  const long long thread = (long long)blockIdx.x * 256 + threadIdx.x;
  const long long threads = (long long)gridDim.x * 256;
  for (long long drawn = 0; (drawn / {each} * threads + thread) * {each} < count; drawn += 4) {{
    const Four bits = philox(seed, step++, thread);
    const uint32 words[4] = {{bits.x, bits.y, bits.z, bits.w}};
    #pragma unroll
    for (int k = 0; k < 4; ++k) {{
      const long long i =
          ((drawn + k) / {each} * threads + thread) * {each} + (drawn + k) % {each};
      if (i >= count) break;
      const bool stays = unit(words[k]) < kept;
      out[i] = {write};
      mask[i] = stays;
    }}
  }}
}}
)";

// A thread whose key is the first of several equal ones draws an order for them.
constexpr std::string_view kShuffle = R"(
extern "C" __global__ void __launch_bounds__(256)
shuffle_equals(const long long* __restrict__ keys, long long* values, unsigned long long seed,
               unsigned long long step, long long count) {
  const long long threads = (long long)gridDim.x * 256;
  for (long long first = (long long)blockIdx.x * 256 + threadIdx.x; first + 1 < count;
       first += threads) {
    const long long key = keys[first];
    if (keys[first + 1] != key || (first > 0 && keys[first - 1] == key)) continue;
    long long length = 1;
    while (first + length < count && keys[first + length] == key) ++length;
    unsigned long long drawn = 0;
    Four bits;
    for (long long i = length - 1; i > 0; --i, ++drawn) {
      if (drawn % 4 == 0) bits = philox(seed, step + drawn / 4, first);
      const uint32 word = drawn % 4 == 0   ? bits.x
                          : drawn % 4 == 1 ? bits.y
                          : drawn % 4 == 2 ? bits.z
                                           : bits.w;
      const long long chosen = word % (uint32)(i + 1);
      const long long value = values[first + i];
      values[first + i] = values[first + chosen];
      values[first + chosen] = value;
    }
  }
}
)";

/// Blocks for that many threads; what is more they do in turn.
int64_t blocks_for(int64_t threads) {
  return std::min<int64_t>((threads + kThreads - 1) / kThreads, 1 << 20);
}

}  // namespace

void draw_bernoulli(const Tensor& out, const Tensor& probabilities, DeviceGenerator& generator) {
  if (out.numel() == 0) return;
  const TextKernel& kernel =
      kernel_of("bernoulli of each", out.dtype(), 0, "bernoulli", [](const ElementWords& element) {
        const std::string value =
            fmt::format("({})(unit(words[k]) <= probability)", element.value());
        return element.definitions() + std::string(kPhilox) +
               fmt::format(kBernoulli, fmt::arg("memory", element.memory()),
                           fmt::arg("value", element.value()),
                           fmt::arg("read", element.read("p[i]")),
                           fmt::arg("write", element.write(value)));
      });
  static const LaunchCheck& check =
      *new LaunchCheck("bernoulli", {{1, "a probability of `bernoulli` is not in [0, 1]"}});
  const DeviceGenerator from = generator.take(10);
  kernel.launch(blocks_for((out.numel() + 3) / 4), kThreads,
                {address(out, "out"), address(probabilities, "p"), check.argument(), seed_of(from),
                 step_of(from), gpu_argument(out.numel())});
  check.launched();
}

void draw_dropout(const Tensor& x, const Tensor& out, const Tensor& mask, double kept,
                  DeviceGenerator& generator) {
  if (x.numel() == 0) return;
  // As many elements side by side as 16 bytes have, or fewer, of which the count is a multiple.
  const auto most = static_cast<int64_t>(16 / dtype_size(x.dtype()));
  const int64_t each = std::gcd(x.numel(), most);
  const TextKernel& kernel =
      kernel_of("dropout", x.dtype(), each, "dropout", [&](const ElementWords& element) {
        const std::string value =
            fmt::format("{} * ({})stays * scale", element.read("x[i]"), element.value());
        return element.definitions() + std::string(kPhilox) +
               fmt::format(kDropout, fmt::arg("memory", element.memory()),
                           fmt::arg("value", element.value()), fmt::arg("each", each),
                           fmt::arg("write", element.write(value)));
      });
  const Deal deal(x.numel(), 4);
  const DeviceGenerator from = generator.take(deal.draws * 4);
  const auto number = [&](double given) {
    return is_wide(x) ? gpu_argument(given) : gpu_argument(float(given));
  };
  const double scale = is_wide(x) ? 1 / kept : double(1 / float(kept));
  kernel.launch(deal.blocks, kThreads,
                {address(x, "x"), address(out, "out"), address(mask, "mask"), seed_of(from),
                 step_of(from), gpu_argument(x.numel()), number(kept), number(scale)});
}

void shuffle_equals(const Tensor& sorted_keys, const Tensor& values, DeviceGenerator& generator) {
  if (values.numel() == 0) return;
  const DeviceGenerator from = generator.take(static_cast<uint64_t>(values.numel()));
  text_kernel(std::string(kPhilox) + std::string(kShuffle), "shuffle_equals")
      .launch(blocks_for(values.numel()), kThreads,
              {address(sorted_keys, "keys"), address(values, "values"), seed_of(from),
               step_of(from), gpu_argument(values.numel())});
}

}  // namespace glint::cuda
