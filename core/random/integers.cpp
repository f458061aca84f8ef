#include "core/random/integers.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace glint::random {

uint32_t NarrowWords::next(int bits) {
  if (left_ == 0) {
    word_ = source_.next32();
    left_ = 32 / bits;
  }
  --left_;
  const uint32_t part = word_ & ((1u << bits) - 1);
  word_ >>= bits;
  return part;
}

uint64_t RangedIntegers::word(int bits) {
  if (bits == 64) return source_.next64();
  return bits == 32 ? source_.next32() : words_.next(bits);
}

uint64_t RangedIntegers::masked(uint64_t width, int bits) {
  const uint64_t mask = ~uint64_t{0} >> std::countl_zero(width);
  for (;;) {
    const uint64_t value = word(bits) & mask;
    if (value <= width) return value;
  }
}

uint64_t RangedIntegers::multiplied(uint64_t width, int bits) {
  __extension__ using Wide = unsigned __int128;
  if (bits == 64) return high_half<Wide>(width, 64);
  return high_half<uint64_t>(width, bits);
}

template <class Product>
uint64_t RangedIntegers::high_half(uint64_t width, int bits) {
  const uint64_t all = ~uint64_t{0} >> (64 - bits);
  const uint64_t count = width + 1;
  Product product = Product{word(bits)} * count;
  if (static_cast<uint64_t>(product & all) < count) {
    const uint64_t least = (all - width) % count;
    while (static_cast<uint64_t>(product & all) < least) product = Product{word(bits)} * count;
  }
  return static_cast<uint64_t>(product >> bits);
}

uint64_t RangedIntegers::draw(uint64_t width) {
  if (width == 0) return 0;
  if (bits_ == 1) return words_.next(1);
  const int bits = bits_ == 64 && width <= 0xffffffffu ? 32 : bits_;
  if (width == ~uint64_t{0} >> (64 - bits)) return word(bits);
  return masked_ ? masked(width, bits) : multiplied(width, bits);
}

void RangedIntegers::fill(int64_t low, uint64_t width, std::span<int64_t> out) {
  for (int64_t& number : out)
    number = static_cast<int64_t>(static_cast<uint64_t>(low) + draw(width));
}

void shuffle(BitSource& source, std::vector<int64_t>& items, int64_t first, bool masked) {
  RangedIntegers places(source, 64, masked);
  for (auto i = static_cast<int64_t>(items.size()) - 1; i >= first; --i)
    std::swap(items[static_cast<size_t>(i)], items[places.draw(static_cast<uint64_t>(i))]);
}

std::vector<int64_t> order(BitSource& source, int64_t count) {
  std::vector<int64_t> places(static_cast<size_t>(count));
  std::iota(places.begin(), places.end(), 0);
  shuffle(source, places, 1, true);
  return places;
}

namespace {

/// Numbers that were drawn: a table with linear probing, of a power of 2 above 1.2 times as many.
class DrawnNumbers {
 public:
  explicit DrawnNumbers(int64_t count)
      : mask_(~uint64_t{0} >> std::countl_zero(std::max<uint64_t>(
                                  1, static_cast<uint64_t>(1.2 * static_cast<double>(count))))),
        places_(mask_ + 1, kFree) {}
  /// False where it was there.
  bool insert(int64_t number) {
    uint64_t place = static_cast<uint64_t>(number) & mask_;
    while (places_[place] != kFree && places_[place] != number) place = (place + 1) & mask_;
    return std::exchange(places_[place], number) == kFree;
  }

 private:
  static constexpr int64_t kFree = -1;
  uint64_t mask_;
  std::vector<int64_t> places_;
};

/// Floyd's algorithm: a number that was drawn before is replaced by the greatest possible.
std::vector<int64_t> sample_of_few(BitSource& source, int64_t total, int64_t count) {
  RangedIntegers numbers(source, 64, false);
  DrawnNumbers drawn(count);
  std::vector<int64_t> result;
  result.reserve(static_cast<size_t>(count));
  for (int64_t greatest = total - count; greatest < total; ++greatest) {
    auto number = static_cast<int64_t>(numbers.draw(static_cast<uint64_t>(greatest)));
    if (!drawn.insert(number)) drawn.insert(number = greatest);
    result.push_back(number);
  }
  return result;
}

}  // namespace

std::vector<int64_t> sample(BitSource& source, int64_t total, int64_t count, bool shuffled) {
  constexpr int64_t kLarge = 10000;
  if (total > kLarge && count > total / (shuffled ? 50 : 20)) {
    std::vector<int64_t> all(static_cast<size_t>(total));
    std::iota(all.begin(), all.end(), 0);
    shuffle(source, all, std::max<int64_t>(total - count, 1), false);
    return {all.end() - count, all.end()};
  }
  std::vector<int64_t> result = sample_of_few(source, total, count);
  if (shuffled) shuffle(source, result, 1, false);
  return result;
}

}  // namespace glint::random
