// Single instructions against values computed here: a kernel of one instruction, 32 lanes of
// operands.
#include <bit>
#include <cfenv>
#include <cmath>

#include <fmt/format.h>

#include "backends/cuda/simulator/instruction_table.h"
#include "run_kernel.h"

namespace glint::simulator {
namespace {

template <class T>
using Lanes = std::vector<T>;

template <class T>
std::string bits_type() {
  return fmt::format("b{}", 8 * sizeof(T));
}

/// A kernel that loads its parameters but the last into %a0, %a1, ..., runs `text` and stores %d.
template <class R, class... Arguments>
std::string kernel_text(const std::string& text) {
  const std::vector<std::string> types = {bits_type<Arguments>()...};
  std::string parameters, body;
  for (size_t i = 0; i < types.size(); ++i) {
    parameters += fmt::format(".param .u64 p{}, ", i);
    const size_t size = std::stoul(types[i].substr(1)) / 8;
    body += fmt::format(
        ".reg .{0} %a{1}; ld.param.u64 %rd0, [p{1}]; mad.wide.u32 %rd1, %r0, {2}, %rd0;\n"
        "ld.global.{0} %a{1}, [%rd1];\n",
        types[i], i, size);
  }
  return fmt::format(
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry one({}.param .u64 result) {{\n"
      ".reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<4>; .reg .{} %d;\n"
      "mov.u32 %r0, %tid.x;\n{}{}\n"
      "ld.param.u64 %rd0, [result]; mad.wide.u32 %rd1, %r0, {}, %rd0;\n"
      "st.global.{} [%rd1], %d;\nret;\n}}\n",
      parameters, bits_type<R>(), body, text, sizeof(R), bits_type<R>());
}

template <class R, class... Arguments>
Lanes<R> apply(const std::string& text, Lanes<Arguments>... arguments) {
  Device device(kernel_text<R, Arguments...>(text));
  Lanes<R> result(kLanes);
  device.check("one", {.grid = {1}, .block = {kLanes}}, arguments..., result);
  return result;
}

template <class T>
Lanes<T> lanes(std::initializer_list<T> some) {
  Lanes<T> values(kLanes);
  for (size_t i = 0; i < kLanes; ++i) values[i] = some.begin()[i % some.size()];
  return values;
}

/// Runs `opcode %d, %a0, %a1;` and compares each lane's bits with `expected`.
template <class T, class F>
void check_binary(const std::string& opcode, const Lanes<T>& a, const Lanes<T>& b, F expected) {
  const Lanes<T> found = apply<T>(opcode + " %d, %a0, %a1;", a, b);
  for (size_t i = 0; i < kLanes; ++i) {
    INFO(opcode << " of " << a[i] << ", " << b[i]);
    T wanted = expected(a[i], b[i]);
    if constexpr (std::is_same_v<T, float>) {
      if (wanted != wanted) wanted = std::bit_cast<float>(0x7fffffffu);  // the hardware's only NaN
    }
    CHECK(std::memcmp(&found[i], &wanted, sizeof(T)) == 0);
  }
}

const Lanes<uint32_t> kA =
    lanes<uint32_t>({0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 12345, 0xdeadbeef});
const Lanes<uint32_t> kB = lanes<uint32_t>({3, 0xffffffff, 7, 1, 0x80000001, 31, 32});

TEST_CASE("instruction: integers of 32 bits wrap", "[instruction]") {
  using U = uint32_t;
  using S = int32_t;
  check_binary("add.s32", kA, kB, [](U a, U b) { return a + b; });
  check_binary("sub.u32", kA, kB, [](U a, U b) { return a - b; });
  check_binary("mul.lo.s32", kA, kB, [](U a, U b) { return a * b; });
  check_binary("mul.hi.u32", kA, kB, [](U a, U b) { return U(uint64_t{a} * b >> 32); });
  check_binary("mul.hi.s32", kA, kB, [](U a, U b) { return U(int64_t{S(a)} * S(b) >> 32); });
  check_binary("div.u32", kA, kB, [](U a, U b) { return a / b; });
  check_binary("rem.u32", kA, kB, [](U a, U b) { return a % b; });
  check_binary("min.s32", kA, kB, [](U a, U b) { return U(std::min(S(a), S(b))); });
  check_binary("max.u32", kA, kB, [](U a, U b) { return std::max(a, b); });
  check_binary("xor.b32", kA, kB, [](U a, U b) { return a ^ b; });
  check_binary("shl.b32", kA, kB, [](U a, U b) { return b > 31 ? 0 : a << b; });
  check_binary("shr.u32", kA, kB, [](U a, U b) { return b > 31 ? 0 : a >> b; });
  check_binary("shr.s32", kA, kB, [](U a, U b) { return U(S(a) >> std::min(b, 31u)); });
  check_binary("add.sat.s32", kA, kB, [](U a, U b) {
    const int64_t sum = int64_t{S(a)} + S(b);
    return U(S(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX)));
  });
}

TEST_CASE("instruction: division by zero and of the least number", "[instruction]") {
  const auto a = lanes<uint32_t>({17, 0x80000000}), b = lanes<uint32_t>({0, 0xffffffff});
  CHECK(apply<uint32_t>("div.u32 %d, %a0, %a1;", a, b)[0] == 0xffffffff);
  CHECK(apply<uint32_t>("rem.u32 %d, %a0, %a1;", a, b)[0] == 17);
  CHECK(apply<uint32_t>("div.s32 %d, %a0, %a1;", a, b)[1] == 0x80000000);
  CHECK(apply<uint32_t>("rem.s32 %d, %a0, %a1;", a, b)[1] == 0);
}

TEST_CASE("instruction: bits", "[instruction]") {
  using U = uint32_t;
  const auto count = [](const char* text, const Lanes<U>& a) {
    return apply<U>(fmt::format("{} %d, %a0;", text), a);
  };
  for (size_t i = 0; i < kLanes; ++i) {
    CHECK(count("popc.b32", kA)[i] == U(std::popcount(kA[i])));
    CHECK(count("clz.b32", kA)[i] == U(std::countl_zero(kA[i])));
    CHECK(count("bfind.u32", kA)[i] == (kA[i] == 0 ? ~0u : U(31 - std::countl_zero(kA[i]))));
    CHECK(count("bfind.shiftamt.u32", kA)[i] == (kA[i] == 0 ? ~0u : U(std::countl_zero(kA[i]))));
  }
  CHECK(count("bfind.s32", lanes<U>({0xffffffff, 0xfffffff0}))[0] == ~0u);
  CHECK(count("bfind.s32", lanes<U>({0xffffffff, 0xfffffff0}))[1] == 3);
  CHECK(count("brev.b32", lanes<U>({1}))[0] == 0x80000000);
  const auto word = lanes<U>({0x89abcdef});
  CHECK(apply<U>("bfe.u32 %d, %a0, 8, 8;", word)[0] == 0xcd);
  CHECK(apply<U>("bfe.s32 %d, %a0, 8, 8;", word)[0] == 0xffffffcd);
  CHECK(apply<U>("bfe.s32 %d, %a0, 28, 8;", word)[0] == 0xfffffff8);
  CHECK(apply<U>("bfe.u32 %d, %a0, 40, 8;", word)[0] == 0);
  CHECK(apply<U>("bfi.b32 %d, 0x3, %a0, 4, 4;", word)[0] == 0x89abcd3f);
  CHECK(apply<U>("prmt.b32 %d, %a0, 0x44332211, 0x4105;", word)[0] == 0x11cdef22);
  CHECK(apply<U>("prmt.b32 %d, %a0, 0, 0xb;", word)[0] == 0xefefefff);
  CHECK(apply<U>("lop3.b32 %d, %a0, 0xff00ff00, 0x0f0f0f0f, 0xca;", word)[0] ==
        ((0x89abcdef & 0xff00ff00) | (~0x89abcdefu & 0x0f0f0f0f)));
  CHECK(apply<U>("shf.l.wrap.b32 %d, %a0, 0x1, 36;", word)[0] == 0x18);
  CHECK(apply<U>("shf.r.clamp.b32 %d, %a0, 0x1, 40;", word)[0] == 1);
  CHECK(apply<U>("dp4a.s32.s32 %d, %a0, 0x01010101, 100;", word)[0] ==
        U(100 + int8_t(0x89) + int8_t(0xab) + int8_t(0xcd) + int8_t(0xef)));
  CHECK(apply<U>("dp4a.u32.s32 %d, %a0, 0xff01ff01, 7;", word)[0] ==
        U(7 - 0x89 + 0xab - 0xcd + 0xef));
  CHECK(apply<U>("dp4a.s32.u32 %d, %a0, 0x00ff0001, 0;", word)[0] ==
        U(255 * int8_t(0xab) + int8_t(0xef)));
  CHECK(apply<U>("dp2a.lo.u32.u32 %d, %a0, 0x0403ff02, 1;", word)[0] ==
        U(1 + 2 * 0xcdef + 255 * 0x89ab));
  CHECK(apply<U>("dp2a.hi.s32.s32 %d, %a0, 0xff030000, 0;", word)[0] ==
        U(3 * int16_t(0xcdef) - int16_t(0x89ab)));
}

TEST_CASE("instruction: the carry goes through several words", "[instruction]") {
  const auto low = lanes<uint32_t>({0xffffffff, 5}), high = lanes<uint32_t>({7, 7});
  const Lanes<uint32_t> sum =
      apply<uint32_t>("add.cc.u32 %r1, %a0, 1; addc.u32 %d, %a1, 0;", low, high);
  CHECK(sum[0] == 8);
  CHECK(sum[1] == 7);
  const Lanes<uint32_t> less =
      apply<uint32_t>("sub.cc.u32 %r1, %a0, 6; subc.u32 %d, %a1, 0;", low, high);
  CHECK(less[0] == 7);
  CHECK(less[1] == 6);
  CHECK(apply<uint32_t>("mad.lo.cc.u32 %r1, %a0, %a0, 0xffffffff; madc.hi.u32 %d, %a0, %a0, 0;",
                        low)[0] == 0xffffffff);
}

const Lanes<float> kX =
    lanes<float>({1.1f, -0.0f, 3e38f, 1e-40f, INFINITY, -2.5f, 16777216.0f, 0.1f});
const Lanes<float> kY = lanes<float>({0.3f, 0.0f, 3e38f, 1e-40f, 1.0f, 1e-7f, 1.0f});

float rounded(int mode, float a, float b, float (*operation)(float, float)) {
  std::fesetround(mode);
  volatile float x = a, y = b;
  volatile float result = operation(x, y);
  std::fesetround(FE_TONEAREST);
  return result;
}

TEST_CASE("instruction: floats round as they are told", "[instruction]") {
  float (*add)(float, float) = [](float a, float b) { return a + b; };
  float (*multiply)(float, float) = [](float a, float b) { return a * b; };
  float (*divide)(float, float) = [](float a, float b) { return a / b; };
  struct Mode {
    const char* name;
    int mode;
  };
  for (const Mode mode : {Mode{"rn", FE_TONEAREST}, Mode{"rz", FE_TOWARDZERO},
                          Mode{"rm", FE_DOWNWARD}, Mode{"rp", FE_UPWARD}}) {
    const auto against = [&](const char* name, float (*operation)(float, float)) {
      check_binary(fmt::format("{}.{}.f32", name, mode.name), kX, kY,
                   [&](float a, float b) { return rounded(mode.mode, a, b, operation); });
    };
    against("add", add);
    against("mul", multiply);
    against("div", divide);
  }
}

TEST_CASE("instruction: subnormals are flushed, results saturate", "[instruction]") {
  const auto tiny = lanes<float>({1e-40f, -1e-40f, 1.0f});
  const auto flushed = [&](const char* text) { return apply<float>(text, tiny); };
  CHECK(flushed("add.ftz.f32 %d, %a0, 0f00000000;")[0] == 0.0f);
  CHECK(flushed("add.f32 %d, %a0, 0f00000000;")[0] == 1e-40f);
  CHECK(std::signbit(flushed("mul.ftz.f32 %d, %a0, 0f3F800000;")[1]));
  CHECK(flushed("abs.ftz.f32 %d, %a0;")[1] == 0.0f);
  CHECK(flushed("max.ftz.f32 %d, %a0, 0fBF800000;")[0] == 0.0f);
  CHECK(flushed("fma.rn.sat.f32 %d, %a0, 0f40400000, 0f3F000000;")[2] == 1.0f);
  CHECK(flushed("add.sat.f32 %d, %a0, 0fBF800000;")[0] == 0.0f);
}

TEST_CASE("instruction: NaNs in floats", "[instruction]") {
  const auto a = lanes<float>({NAN, 1.0f, -0.0f, NAN}), b = lanes<float>({2.0f, NAN, 0.0f, NAN});
  const Lanes<float> least = apply<float>("min.f32 %d, %a0, %a1;", a, b);
  CHECK(least[0] == 2.0f);
  CHECK(least[1] == 1.0f);
  CHECK(std::signbit(least[2]));
  CHECK(std::bit_cast<uint32_t>(least[3]) == 0x7fffffff);
  CHECK(std::isnan(apply<float>("max.NaN.f32 %d, %a0, %a1;", a, b)[0]));
  CHECK(std::bit_cast<uint32_t>(apply<float>("add.f32 %d, %a0, %a1;", a, b)[0]) == 0x7fffffff);
}

TEST_CASE("instruction: relations of floats, ordered and not", "[instruction]") {
  const auto a = lanes<float>({1, 2, NAN, 2}), b = lanes<float>({2, 2, 2, 1});
  const auto relation = [&](const char* name) {
    const Lanes<uint32_t> found = apply<uint32_t>(
        fmt::format("setp.{}.f32 %p1, %a0, %a1; selp.u32 %d, 1, 0, %p1;", name), a, b);
    return std::vector<uint32_t>(found.begin(), found.begin() + 4);
  };
  using V = std::vector<uint32_t>;
  CHECK(relation("lt") == V{1, 0, 0, 0});
  CHECK(relation("ltu") == V{1, 0, 1, 0});
  CHECK(relation("ge") == V{0, 1, 0, 1});
  CHECK(relation("geu") == V{0, 1, 1, 1});
  CHECK(relation("ne") == V{1, 0, 0, 1});
  CHECK(relation("neu") == V{1, 0, 1, 1});
  CHECK(relation("equ") == V{0, 1, 1, 0});
  CHECK(relation("nan") == V{0, 0, 1, 0});
}

TEST_CASE("instruction: two predicates, combined with a third", "[instruction]") {
  const auto a = lanes<uint32_t>({1, 2, 3, 4});
  const Lanes<uint32_t> found = apply<uint32_t>(
      "setp.gt.u32 %p3, %a0, 1;\n"
      "setp.lt.and.u32 %p1|%p2, %a0, 3, !%p3;\n"
      "selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; or.b32 %d, %r1, %r2;",
      a);
  CHECK(std::vector<uint32_t>(found.begin(), found.begin() + 4) ==
        std::vector<uint32_t>{1, 0, 0, 0});
}

TEST_CASE("instruction: 16-bit floats are rounded once", "[instruction]") {
  const auto check_fma = [](uint16_t a, uint16_t b, uint16_t c, uint16_t expected) {
    CHECK(apply<uint16_t>("fma.rn.bf16 %d, %a0, %a1, %a2;", lanes<uint16_t>({a}),
                          lanes<uint16_t>({b}), lanes<uint16_t>({c}))[0] == expected);
  };
  // 1.0078125 * 1.0078125 = 1.01568603515625: with a tiny addend still above the tie's even side.
  check_fma(0x3f81, 0x3f81, 0x0000, 0x3f82);
  // 1.5 * 1.0078125 = 1.51171875, a tie; what is added decides, however small it is.
  check_fma(0x3fc0, 0x3f81, 0x0000, 0x3fc2);
  check_fma(0x3fc0, 0x3f81, 0x8080, 0x3fc1);
  check_fma(0x3fc0, 0x3f81, 0x0080, 0x3fc2);
  const auto half = lanes<uint16_t>({0x3c00, 0x7bff, 0x0001});
  CHECK(apply<uint16_t>("add.f16 %d, %a0, %a0;", half)[0] == 0x4000);
  CHECK(apply<uint16_t>("add.f16 %d, %a0, %a0;", half)[1] == 0x7c00);
  CHECK(apply<uint16_t>("add.f16 %d, %a0, %a0;", half)[2] == 0x0002);
}

TEST_CASE("instruction: conversions round and extend", "[instruction]") {
  const auto x = lanes<float>({2.5f, -2.5f, 3.5f, -0.4f, 300.0f, NAN});
  const auto convert = [&](const char* text) {
    const Lanes<int32_t> found = apply<int32_t>(text, x);
    return std::vector<int32_t>(found.begin(), found.begin() + 6);
  };
  using V = std::vector<int32_t>;
  CHECK(convert("cvt.rni.s32.f32 %d, %a0;") == V{2, -2, 4, 0, 300, 0});
  CHECK(convert("cvt.rmi.s32.f32 %d, %a0;") == V{2, -3, 3, -1, 300, 0});
  CHECK(convert("cvt.rpi.s32.f32 %d, %a0;") == V{3, -2, 4, 0, 300, 0});
  CHECK(convert("cvt.rzi.u32.f32 %d, %a0;") == V{2, 0, 3, 0, 300, 0});
  CHECK(convert("cvt.rzi.s8.f32 %d, %a0;") == V{2, -2, 3, 0, 127, 0});
  const auto words = lanes<uint32_t>({0x1ff, 0x80, 0xffffffff});
  CHECK(apply<uint32_t>("cvt.s32.s8 %d, %a0;", words)[1] == 0xffffff80);
  CHECK(apply<uint32_t>("cvt.u32.u8 %d, %a0;", words)[0] == 0xff);
  CHECK(apply<uint64_t>("cvt.s64.s32 %d, %a0;", words)[2] == ~0ull);
  CHECK(apply<uint32_t>("cvt.sat.u8.u32 %d, %a0;", words)[2] == 255);
  CHECK(apply<float>("cvt.rz.f32.s32 %d, 16777219;", words)[0] == 16777218.0f);
  CHECK(apply<uint32_t>("cvt.rn.bf16x2.f32 %d, 0f40000000, 0f3F800000;", words)[0] == 0x40003f80);
}

TEST_CASE("instruction: packing, unpacking and addresses of a space", "[instruction]") {
  const auto words = lanes<uint32_t>({0x11112222, 0x33334444});
  CHECK(apply<uint64_t>("mov.b64 %d, {%a0, 7};", words)[0] == 0x0000000711112222ull);
  CHECK(apply<uint32_t>("{ .reg .b16 %lo, %hi; mov.b32 {%lo, %hi}, %a0; mov.b32 %d, {%hi, %lo}; }",
                        words)[1] == 0x44443333);
  CHECK(
      apply<uint32_t>(".shared .align 4 .b32 s[32]; .reg .b64 %at;\n"
                      "mov.u64 %at, s; cvta.shared.u64 %at, %at; mad.wide.u32 %rd2, %r0, 4, %at;\n"
                      "st.u32 [%rd2], %a0; isspacep.shared %p1, %rd2;\n"
                      "mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 4, %r1; @%p1 ld.shared.u32 %d, [%r1];",
                      words) == words);
}

TEST_CASE("instruction: what caches are told changes no value", "[instruction]") {
  const Lanes<uint32_t> found = apply<uint32_t>(
      ".reg .b64 %q<2>; .reg .b32 %v<2>;\n"
      "createpolicy.fractional.L2::evict_last.b64 %q0;\n"
      "createpolicy.fractional.L2::evict_first.b64 %q1, 0f3F000000;\n"
      "ld.param.u64 %rd2, [p0]; mad.wide.u32 %rd2, %r0, 4, %rd2;\n"
      "ld.global.L2::cache_hint.b32 %v0, [%rd2], %q0; not.b32 %v0, %v0;\n"
      "st.global.L2::cache_hint.b32 [%rd2], %v0, %q1;\n"
      "ld.global.cs.L2::cache_hint.b32 %v1, [%rd2], %q1; mov.b32 %d, %v1;",
      kA);
  for (size_t i = 0; i < kLanes; ++i) CHECK(found[i] == ~kA[i]);
}

TEST_CASE("instruction: lanes exchange values", "[instruction]") {
  Lanes<uint32_t> values(kLanes);
  for (uint32_t i = 0; i < kLanes; ++i) values[i] = i * i;
  const Lanes<uint32_t> down =
      apply<uint32_t>("shfl.sync.down.b32 %d|%p1, %a0, 3, 31, -1; @!%p1 mov.u32 %d, 9;", values);
  const Lanes<uint32_t> up = apply<uint32_t>("shfl.sync.up.b32 %d, %a0, 2, 0, -1;", values);
  const Lanes<uint32_t> segments =
      apply<uint32_t>("shfl.sync.idx.b32 %d, %a0, 5, 0x181f, -1;", values);  // of 8 lanes
  for (uint32_t i = 0; i < kLanes; ++i) {
    CHECK(down[i] == (i + 3 < kLanes ? values[i + 3] : 9));
    CHECK(up[i] == (i >= 2 ? values[i - 2] : values[i]));
    CHECK(segments[i] == values[(i & 24) + 5]);
  }
  CHECK(apply<uint32_t>("redux.sync.add.u32 %d, %a0, -1;", values)[7] == 31 * 32 * 63 / 6);
  CHECK(apply<uint32_t>("match.any.sync.b32 %d, %a1, -1;", values, lanes<uint32_t>({1, 2}))[1] ==
        0xaaaaaaaa);
  CHECK(apply<uint32_t>("setp.lt.u32 %p1, %a0, 10; vote.sync.ballot.b32 %d, %p1, -1;", values)[0] ==
        0xf);
  CHECK(apply<uint32_t>("setp.lt.u32 %p1, %a0, 10; vote.sync.any.pred %p2, %p1, -1;"
                        "selp.u32 %d, 1, 0, %p2;",
                        values)[31] == 1);
}

TEST_CASE("instruction: lanes that name different masks exchange among themselves",
          "[instruction]") {
  Lanes<uint32_t> masks(kLanes), values(kLanes);
  for (uint32_t i = 0; i < kLanes; ++i) {
    masks[i] = i % 3 == 0 ? 0x49249249u : 0xb6db6db6u;
    values[i] = i;
  }
  const auto check = [&](const std::string& text, const auto& expected) {
    const Lanes<uint32_t> found = apply<uint32_t>(text, values, masks);
    for (uint32_t i = 0; i < kLanes; ++i) {
      INFO(text << ", lane " << i);
      CHECK(found[i] == expected(i % 3 == 0, masks[i], i));
    }
  };
  using U = uint32_t;
  check("setp.lt.u32 %p1, %a0, 16; vote.sync.ballot.b32 %d, %p1, %a1;",
        [](bool, U mask, U) { return mask & 0xffff; });
  check("setp.eq.u32 %p1, %a0, 3; vote.sync.any.pred %p2, %p1, %a1; selp.u32 %d, 1, 0, %p2;",
        [](bool third, U, U) { return U{third}; });
  check("setp.ne.u32 %p1, %a0, 3; vote.sync.all.pred %p2, %p1, %a1; selp.u32 %d, 1, 0, %p2;",
        [](bool third, U, U) { return U{!third}; });
  check("setp.ne.u32 %p1, %a0, 3; vote.sync.uni.pred %p2, %p1, %a1; selp.u32 %d, 1, 0, %p2;",
        [](bool third, U, U) { return U{!third}; });
  check("redux.sync.add.u32 %d, %a0, %a1;", [](bool third, U, U) { return third ? 165u : 331u; });
  check("redux.sync.max.u32 %d, %a0, %a1;", [](bool third, U, U) { return third ? 30u : 31u; });
  check("shr.u32 %r1, %a0, 4; match.any.sync.b32 %d, %r1, %a1;",
        [](bool, U mask, U lane) { return mask & (lane < 16 ? 0xffffu : 0xffff0000u); });
  check("rem.u32 %r1, %a0, 3; min.u32 %r1, %r1, 1; match.all.sync.b32 %d|%p1, %r1, %a1;",
        [](bool, U mask, U) { return mask; });
  check("elect.sync %d|%p1, %a1; @%p1 mov.u32 %d, 99;",
        [](bool, U, U lane) { return lane < 2 ? 99u : U{lane % 3 != 0}; });
  check("shfl.sync.down.b32 %d, %a0, 3, 31, %a1;",
        [](bool, U, U lane) { return lane + 3 < kLanes ? lane + 3 : lane; });
}

TEST_CASE("instruction: atomics give what was there", "[instruction]") {
  Device device(
      ".version 8.0 .target sm_80 .address_size 64\n"
      ".visible .entry one(.param .u64 memory, .param .u64 before) {\n"
      ".reg .b64 %rd<4>; .reg .b32 %r<4>;\n"
      "ld.param.u64 %rd0, [memory]; ld.param.u64 %rd1, [before]; mov.u32 %r0, %tid.x;\n"
      "atom.global.add.u32 %r1, [%rd0], %r0;\n"
      "atom.global.max.s32 %r2, [%rd0+4], %r0;\n"
      "atom.global.cas.b32 %r2, [%rd0+8], 7, %r0;\n"
      "atom.global.inc.u32 %r2, [%rd0+12], 9;\n"
      "red.global.add.f32 [%rd0+16], 0f3F000000;\n"
      "mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], %r1; exit; }\n");
  std::vector<uint32_t> memory = {100, 5, 7, 0, 0}, before(kLanes);
  device.check("one", {.block = {kLanes}}, memory, before);
  CHECK(memory[0] == 100 + 31 * 16);
  CHECK(before[4] == 100 + 0 + 1 + 2 + 3);
  CHECK(memory[1] == 31);
  CHECK(memory[2] == 0);
  CHECK(memory[3] == 2);
  CHECK(std::bit_cast<float>(memory[4]) == 16.0f);
}

TEST_CASE("instruction: a branch through a table", "[instruction]") {
  const auto index = lanes<uint32_t>({2, 0, 1});
  const Lanes<uint32_t> found = apply<uint32_t>(
      "table: .branchtargets A, B, C;\nbrx.idx %a0, table;\n"
      "A: mov.u32 %d, 10; bra E;\nB: mov.u32 %d, 20; bra E;\nC: mov.u32 %d, 30;\nE: add.u32 %d, "
      "%d, 1;",
      index);
  CHECK(std::vector<uint32_t>(found.begin(), found.begin() + 3) ==
        std::vector<uint32_t>{31, 11, 21});
}

TEST_CASE("instruction: every row says what it is, and has a name of its own", "[instruction]") {
  const std::vector<InstructionRow> rows = instruction_table();
  for (const InstructionRow& row : rows) {
    INFO(row.name);
    CHECK(!row.meaning.empty());
    CHECK(row.prepare != nullptr);
    CHECK(std::count_if(rows.begin(), rows.end(),
                        [&](const InstructionRow& other) { return other.name == row.name; }) == 1);
  }
}

TEST_CASE("instruction: masks of some bits", "[instruction]") {
  using U = uint32_t;
  const auto mask = [](const char* how, U from, U count) {
    return apply<U>(fmt::format("bmsk.{}.b32 %d, %a0, %a1;", how), lanes<U>({from}),
                    lanes<U>({count}))[0];
  };
  CHECK(mask("clamp", 4, 8) == 0xff0);
  CHECK(mask("clamp", 0, 40) == 0xffffffff);
  CHECK(mask("clamp", 33, 1) == 0);
  CHECK(mask("wrap", 33, 34) == 0x6);
}

TEST_CASE("instruction: packed halves are compared one by one", "[instruction]") {
  using U = uint32_t;
  const auto compare = [](const char* text, U a, U b) {
    return apply<U>(fmt::format("{} %d, %a0, %a1;", text), lanes<U>({a}), lanes<U>({b}))[0];
  };
  // 2.0 above 1.0, against 1.0 above 2.0; a NaN above 1.0.
  CHECK(compare("set.gt.u32.f16x2", 0x40003c00, 0x3c004000) == 0xffff0000);
  CHECK(compare("set.gt.f16x2.f16x2", 0x40003c00, 0x3c004000) == 0x3c000000);
  CHECK(compare("set.leu.u32.f16x2", 0x7e003c00, 0x3c003c00) == 0xffffffff);
  CHECK(compare("set.eq.bf16x2.bf16x2", 0x7fff3f80, 0x7fff3f80) == 0x00003f80);
  const std::string predicates =
      "setp.lt.f16x2 %p0|%p1, %a0, %a1; selp.u32 %r1, 1, 0, %p0; selp.u32 %r2, 2, 0, %p1; "
      "add.u32 %d, %r1, %r2;";
  CHECK(apply<U>(predicates, lanes<U>({0x3c004000}), lanes<U>({0x40003c00}))[0] == 2);
}

TEST_CASE("instruction: what is true of a 16-bit float is its 1.0", "[instruction]") {
  using H = uint16_t;
  const auto compare = [](const char* text, H a, H b) {
    return apply<H>(fmt::format("{} %d, %a0, %a1;", text), lanes<H>({a}), lanes<H>({b}))[0];
  };
  CHECK(compare("set.lt.f16.f16", 0x3c00, 0x4000) == 0x3c00);
  CHECK(compare("set.lt.f16.f16", 0x4000, 0x3c00) == 0);
  CHECK(compare("set.nan.bf16.bf16", 0x7fff, 0x3f80) == 0x3f80);
  CHECK(compare("set.ge.u16.f16", 0x3c00, 0x3c00) == 0xffff);
}

TEST_CASE("instruction: bfloat16 is rounded as said", "[instruction]") {
  const auto from = [](const char* rounding, const char* type, auto value) {
    const std::string text = fmt::format("cvt.{}.bf16.{} %d, %a0;", rounding, type);
    return apply<uint16_t>(text, lanes<decltype(value)>({value}))[0];
  };
  const auto rounded = [&](const char* rounding, float value) {
    return from(rounding, "f32", std::bit_cast<uint32_t>(value));
  };
  const float tie = 1.00390625f;  // 1 + 2^-8, half a step
  CHECK(rounded("rz", tie) == 0x3f80);
  CHECK(rounded("rp", tie) == 0x3f81);
  CHECK(rounded("rm", tie) == 0x3f80);
  CHECK(rounded("rz", -tie) == 0xbf80);
  CHECK(rounded("rp", -tie) == 0xbf80);
  CHECK(rounded("rm", -tie) == 0xbf81);
  CHECK(rounded("rp", 1.5f) == 0x3fc0);
  CHECK(rounded("rz", 3.4e38f) == 0x7f7f);
  CHECK(rounded("rp", 3.4e38f) == 0x7f80);
  CHECK(rounded("rz", std::nanf("")) == 0x7fff);
  CHECK(from("rz", "s32", 257u) == 0x4380);
  CHECK(from("rp", "s32", 257u) == 0x4381);
  CHECK(from("rz", "u64", ~0ull) == 0x5f7f);
  CHECK(from("rp", "s64", ~0ull << 63 | 1) == 0xdeff);
}

TEST_CASE("instruction: doubles below the least float are small numbers", "[instruction]") {
  const auto tiny = lanes<double>({1e-50, -1e-50, 5e-324, -5e-324, 1e-45, -1e-45});
  for (const char* type : {"f16", "bf16"}) {
    const Lanes<uint16_t> least =
        apply<uint16_t>(fmt::format("cvt.rn.{}.f64 %d, %a0;", type), tiny);
    CHECK(least == lanes<uint16_t>({0, 0x8000, 0, 0x8000, 0, 0x8000}));
  }
  // The product of two is below what a float holds.
  const auto factors = lanes<uint16_t>({0x0080, 0x8080});
  CHECK(apply<uint16_t>("fma.rn.bf16 %d, %a0, %a1, %a2;", factors, lanes<uint16_t>({0x0080}),
                        lanes<uint16_t>({0})) == lanes<uint16_t>({0, 0x8000}));
}

}  // namespace
}  // namespace glint::simulator
