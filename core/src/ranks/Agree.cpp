#include "ranks/Agree.h"

#include <eagle/Error.h>
#include <eagle/marshal/Control.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "ranks/State.h"

namespace eagle::ranks {
namespace {

using marshal::Control;

// One rank's word, of one size on all of them.
struct Word {
    std::int64_t failed = 0;
    std::int64_t samples = 0;
    std::int64_t fault = 0, index = 0, sample = 0;  // as in Control
    std::uint64_t meeting = 0;
    char call[64] = {};
    char kernel[104] = {};
    char text[296] = {};
};
static_assert(sizeof(Word) == 512);

template <std::size_t Size>
void put(char (&to)[Size], const std::string& text) {
    std::size_t size = std::min(text.size(), Size - 1);
    // Python takes no half of a character.
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
    std::memcpy(to, text.data(), size);
}

std::string words_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "something that is no exception of C++";
    }
}

std::vector<Word> exchange(const RankPartition::State& ranks, Word& mine) {
    mine.meeting = ++ranks.meetings;
    std::vector<Word> words(static_cast<std::size_t>(ranks.size));
    words[static_cast<std::size_t>(ranks.rank)] = mine;
    std::vector<std::int64_t> offsets;
    for (int r = 0; r <= ranks.size; ++r) offsets.push_back(r * static_cast<std::int64_t>(sizeof(Word)));
    ranks.exchange(words.data(), offsets);
    return words;
}

std::string rank_text(std::size_t rank, std::size_t size) {
    return "rank " + std::to_string(rank) + " of " + std::to_string(size);
}

void raise_failures(const std::vector<Word>& words, const std::exception_ptr& mine) {
    if (mine) std::rethrow_exception(mine);
    for (std::size_t r = 0; r < words.size(); ++r)
        if (words[r].failed != 0)
            throw Error(rank_text(r, words.size()) + " failed, and with it this call on every rank: " + words[r].text);
}

void check_calls(const std::vector<Word>& words) {
    for (std::size_t r = 1; r < words.size(); ++r) {
        if (std::strcmp(words[0].call, words[r].call) != 0)
            throw InvalidArgument("rank 0 does: " + std::string(words[0].call) + ", rank " + std::to_string(r) +
                                  " does: " + words[r].call + "; every rank makes the same calls in the same order");
        if (words[0].meeting != words[r].meeting)
            throw InvalidArgument("rank 0 is at step " + std::to_string(words[0].meeting) +
                                  " of its calls of these ranks, rank " + std::to_string(r) + " at step " +
                                  std::to_string(words[r].meeting) +
                                  ": a call was left out on one of them; make a new RankPartition on every rank");
    }
}

}  // namespace

void agree(const RankPartition::State& ranks, const std::exception_ptr& mine, const std::string& call,
           const std::string& kernel, std::int64_t samples) {
    Word word;
    word.failed = mine ? 1 : 0;
    word.samples = samples;
    put(word.call, call);
    put(word.kernel, kernel);
    if (mine) put(word.text, words_of(mine));
    const std::vector<Word> words = exchange(ranks, word);
    raise_failures(words, mine);
    check_calls(words);
    for (std::size_t r = 1; r < words.size(); ++r) {
        if (std::strcmp(words[0].kernel, words[r].kernel) != 0)
            throw InvalidArgument("rank 0 calls kernel '" + std::string(words[0].kernel) + "', rank " +
                                  std::to_string(r) + " calls '" + words[r].kernel +
                                  "'; every rank makes the same calls in the same order");
        if (words[0].samples != words[r].samples)
            throw InvalidArgument("kernel '" + kernel + "' has " + std::to_string(words[0].samples) +
                                  " samples on rank 0 and " + std::to_string(words[r].samples) + " on rank " +
                                  std::to_string(r) + "; every rank is given the whole planes");
    }
}

void tell_failure(const RankPartition::State& ranks, const std::string& text) {
    Word word;
    word.failed = 1;
    put(word.text, text);
    exchange(ranks, word);
}

void agree_on_end(const RankPartition::State& ranks, const std::exception_ptr& mine, std::int64_t* control) {
    Word word;
    word.failed = mine ? 1 : 0;
    put(word.call, ranks.gather ? "launch" : "launch without gather");
    if (mine) put(word.text, words_of(mine));
    if (control != nullptr) {
        word.fault = control[Control::fault];
        word.index = control[Control::index];
        word.sample = control[Control::sample];
    }
    const std::vector<Word> words = exchange(ranks, word);
    raise_failures(words, mine);
    check_calls(words);
    const Word* lowest = nullptr;
    for (const Word& other : words)
        if (other.fault != 0 && (lowest == nullptr || other.sample < lowest->sample)) lowest = &other;
    if (control == nullptr || lowest == nullptr) return;
    control[Control::fault] = lowest->fault;
    control[Control::index] = lowest->index;
    control[Control::sample] = lowest->sample;
}

}  // namespace eagle::ranks
