#include "ranks/Exchanges.h"

#include <functional>
#include <vector>

#include "ranks/State.h"

namespace eagle::ranks {
namespace {

// As many bytes of as many ranks, in the same order.
std::uint64_t digest_of(std::span<const Piece> pieces) {
    std::uint64_t all = digest(nullptr, 0);
    for (const Piece& piece : pieces) all = digest(piece.offsets.data(), piece.offsets.size_bytes(), all);
    return all;
}

}  // namespace

void Exchanges::exchange(std::span<const Piece> pieces) {
    std::vector<std::function<void()>> collectives;
    prepare([&] {
        for (const Piece& piece : pieces) collectives.push_back(ranks_.prepared(piece.whole, piece.offsets));
    });
    doing_.pieces_digest = failed_ ? 0 : digest_of(pieces);
    end();
    doing_.pieces_digest = 0;
    // The others are in all of them, so this rank is too, whatever one of them threw.
    for (const auto& collective : collectives) {
        try {
            collective();
        } catch (...) {
            if (!failed_) failed_ = std::current_exception();
        }
    }
}

void Exchanges::end() { agree(ranks_, failed_, doing_, Waits::staying); }

}  // namespace eagle::ranks
