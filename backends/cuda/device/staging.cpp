#include "backends/cuda/device/staging.h"

#include <algorithm>
#include <cstring>

namespace glint::cuda {

CuResult Staging::make(const DriverFunctions& f, Piece& piece) {
  void* memory = nullptr;
  CuResult result = f.allocate_pinned(&memory, kPieceBytes, 0);
  if (result == driver::kSuccess) result = f.make_event(&piece.done, driver::kWithoutTime);
  if (result == driver::kSuccess)
    piece.memory = static_cast<std::byte*>(memory);
  else if (memory != nullptr)
    f.free_pinned(memory);
  return result;
}

CuResult Staging::take(Piece*& piece) {
  piece = &pieces_[next_];
  next_ = (next_ + 1) % kPieces;
  if (piece->memory == nullptr)
    if (const CuResult result = make(f_, *piece); result != driver::kSuccess) return result;
  if (!piece->in_use) return driver::kSuccess;
  piece->in_use = false;
  return f_.wait_for_event(piece->done);
}

CuResult Staging::upload(CuAddress target, const std::byte* source, size_t bytes, CuStream stream) {
  for (size_t at = 0; at < bytes; at += kPieceBytes) {
    const size_t length = std::min(kPieceBytes, bytes - at);
    Piece* piece = nullptr;
    CuResult result = take(piece);
    if (result != driver::kSuccess) return result;
    std::memcpy(piece->memory, source + at, length);
    result = f_.upload(target + at, piece->memory, length, stream);
    if (result == driver::kSuccess) result = f_.record_event(piece->done, stream);
    if (result != driver::kSuccess) return result;
    piece->in_use = true;
  }
  return driver::kSuccess;
}

CuResult Staging::download(std::byte* target, CuAddress source, size_t bytes, CuStream stream) {
  std::array<Piece*, kPieces> taken = {};
  const size_t pieces = (bytes + kPieceBytes - 1) / kPieceBytes;
  // Each piece is asked for while those before it are on their way, and read when it has arrived.
  for (size_t step = 0; step < pieces + kPieces - 1; ++step) {
    if (step < pieces) {
      const size_t at = step * kPieceBytes, length = std::min(kPieceBytes, bytes - at);
      Piece*& piece = taken[step % kPieces];
      CuResult result = take(piece);
      if (result == driver::kSuccess)
        result = f_.download(piece->memory, source + at, length, stream);
      if (result == driver::kSuccess) result = f_.record_event(piece->done, stream);
      if (result != driver::kSuccess) return result;
    }
    if (step + 1 < kPieces) continue;
    const size_t arrived = step + 1 - kPieces, at = arrived * kPieceBytes;
    const Piece& piece = *taken[arrived % kPieces];
    if (const CuResult result = f_.wait_for_event(piece.done); result != driver::kSuccess)
      return result;
    std::memcpy(target + at, piece.memory, std::min(kPieceBytes, bytes - at));
  }
  return driver::kSuccess;
}

}  // namespace glint::cuda
