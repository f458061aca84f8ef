// `_hashing`: digests of bytes, by libmd, and the system's random bytes, for library/hashlib,
// library/secrets and library/uuid.
//
//     hasher = _hashing.Hasher("sha256")
//     hasher.update(b"abc")
//     hasher.digest()                     32 bytes, of all that came so far
//     _hashing.random_bytes(16)
#include <md5.h>
#include <sha1.h>
#include <sha2.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

union State {
  MD5_CTX md5;
  SHA1_CTX sha1;
  SHA2_CTX sha2;
};

/// SHA-224 is SHA-256 from another beginning, and the first 28 bytes of its digest.
void begin_sha224(SHA2_CTX* state) {
  constexpr std::array<uint32_t, 8> kBeginning = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                                  0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
  SHA256Init(state);
  std::ranges::copy(kBeginning, state->state.st32);
}

constexpr size_t kLongestDigest = 64;

struct Algorithm {
  std::string_view name;
  size_t digest_size, block_size;
  void (*begin)(State&);
  void (*update)(State&, const uint8_t*, size_t);
  void (*end)(State&, uint8_t*);
};

constexpr Algorithm kAlgorithms[] = {
    {"md5", 16, 64, [](State& s) { MD5Init(&s.md5); },
     [](State& s, const uint8_t* data, size_t size) { MD5Update(&s.md5, data, size); },
     [](State& s, uint8_t* out) { MD5Final(out, &s.md5); }},
    {"sha1", 20, 64, [](State& s) { SHA1Init(&s.sha1); },
     [](State& s, const uint8_t* data, size_t size) { SHA1Update(&s.sha1, data, size); },
     [](State& s, uint8_t* out) { SHA1Final(out, &s.sha1); }},
    {"sha224", 28, 64, [](State& s) { begin_sha224(&s.sha2); },
     [](State& s, const uint8_t* data, size_t size) { SHA256Update(&s.sha2, data, size); },
     [](State& s, uint8_t* out) { SHA256Final(out, &s.sha2); }},
    {"sha256", 32, 64, [](State& s) { SHA256Init(&s.sha2); },
     [](State& s, const uint8_t* data, size_t size) { SHA256Update(&s.sha2, data, size); },
     [](State& s, uint8_t* out) { SHA256Final(out, &s.sha2); }},
    {"sha384", 48, 128, [](State& s) { SHA384Init(&s.sha2); },
     [](State& s, const uint8_t* data, size_t size) { SHA384Update(&s.sha2, data, size); },
     [](State& s, uint8_t* out) { SHA384Final(out, &s.sha2); }},
    {"sha512", 64, 128, [](State& s) { SHA512Init(&s.sha2); },
     [](State& s, const uint8_t* data, size_t size) { SHA512Update(&s.sha2, data, size); },
     [](State& s, uint8_t* out) { SHA512Final(out, &s.sha2); }},
};

struct HasherObject final : NativeDataObject {
  const Algorithm* algorithm;
  State state;
  HasherObject(ClassObject* of, const Algorithm& which)
      : NativeDataObject(of), algorithm(&which), state() {
    algorithm->begin(state);
  }
};

HasherObject& hasher_of(NativeCall& call) {
  return *static_cast<HasherObject*>(call[0].object());
}

Value make_hasher(NativeCall& call) {
  std::string_view name;
  if (!text_argument(call, 0, name)) return Value();
  const auto* found = std::ranges::find(kAlgorithms, name, &Algorithm::name);
  if (found == std::end(kAlgorithms))
    return call.raise("ValueError", fmt::format("unsupported hash type {}", name));
  return Value(make_ref<HasherObject>(call.function->data.as<ClassObject>(), *found));
}

Value hasher_update(NativeCall& call) {
  const auto* bytes = call[1].try_as<BytesObject>();
  if (!bytes)
    return call.raise("TypeError", is_str(call[1]) ? "Strings must be encoded before hashing"
                                                   : "object supporting the buffer API required");
  HasherObject& hasher = hasher_of(call);
  hasher.algorithm->update(hasher.state, reinterpret_cast<const uint8_t*>(bytes->data.data()),
                           bytes->data.size());
  return Value::none();
}

Value hasher_digest(NativeCall& call) {
  const HasherObject& hasher = hasher_of(call);
  State state = hasher.state;
  std::array<uint8_t, kLongestDigest> digest;
  hasher.algorithm->end(state, digest.data());
  return Value(make_ref<BytesObject>(
      std::string(digest.begin(), digest.begin() + hasher.algorithm->digest_size)));
}

Value hasher_copy(NativeCall& call) {
  const HasherObject& hasher = hasher_of(call);
  auto copy = make_ref<HasherObject>(hasher.cls.get(), *hasher.algorithm);
  copy->state = hasher.state;
  return Value(std::move(copy));
}

Value hasher_digest_size(NativeCall& call) {
  return int_value(static_cast<int64_t>(hasher_of(call).algorithm->digest_size));
}
Value hasher_block_size(NativeCall& call) {
  return int_value(static_cast<int64_t>(hasher_of(call).algorithm->block_size));
}

Value random_bytes(NativeCall& call) {
  int64_t count = 0;
  if (!int_argument(call, 0, count)) return Value();
  if (count < 0) return call.raise("ValueError", "negative argument not allowed");
  std::string bytes(static_cast<size_t>(count), '\0');
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t got = getrandom(bytes.data() + at, bytes.size() - at, 0);
    if (got < 0 && errno != EINTR)
      return call.raise("NotImplementedError", "the system gives no random bytes");
    if (got > 0) at += static_cast<size_t>(got);
  }
  return Value(make_ref<BytesObject>(std::move(bytes)));
}

constexpr NativeDefinition kMethods[] = {
    {"update(self, data, /)", hasher_update, kImpure, "takes more bytes in"},
    {"digest(self, /)", hasher_digest, kImpure, "of all that came so far"},
    {"copy(self, /)", hasher_copy, kImpure, "one that goes on from here"},
    {"digest_size(self, /)", hasher_digest_size, kImpure, "the bytes of a digest"},
    {"block_size(self, /)", hasher_block_size, kImpure, "the bytes that are taken in at once"},
};
constexpr NativeDefinition kFunctions[] = {
    {"random_bytes(count, /)", random_bytes, kImpure, "by the operating system"},
};

}  // namespace

void fill_hashing(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
  Ref<ClassObject> cls = in.new_class("Hasher", in.classes().object, kNativeDataKind, "_hashing");
  in.add_methods(*cls, kMethods);
  set_constructor(*cls, {"Hasher(name, /)", make_hasher, kImpure, "takes bytes in"});
  cls->construct->data = Value(cls);
  module.dict->set("Hasher", Value(cls));
}

}  // namespace glint::runtime
