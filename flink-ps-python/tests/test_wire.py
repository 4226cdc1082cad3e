"""That this package and the project mean the same by numbers."""

import re

import numpy as np
import pytest

import built
from flink_ps import ErrorCode
from flink_ps.placement import hash_keys, mix64, primaries
from flink_ps.wire import Api

MASK = (1 << 64) - 1


def rows_of(page: str) -> list[list[str]]:
    """The cells of the table in a page of docs."""
    lines = (built.ROOT / "docs" / page).read_text().splitlines()
    return [re.split(r"\s*\|\s*", line.strip("| ")) for line in lines if re.match(r"\| \d", line)]


def test_errors_are_those_of_the_project() -> None:
    stated = {
        name.strip("`"): (int(i), retriable == "yes")
        for i, name, retriable, _ in rows_of("errors.md")
    }
    assert stated.pop("NONE") == (0, False)
    assert {code.name: (code.id, code.retriable) for code in ErrorCode} == stated
    assert ErrorCode.of_id(9) is ErrorCode.KEY_OUT_OF_RANGE
    assert ErrorCode.of_id(9999) is ErrorCode.INTERNAL


def test_apis_are_those_of_the_project() -> None:
    stated = {name.strip("`"): (int(i), versions) for i, name, versions in rows_of("apis.md")}
    for api in Api:
        number, versions = stated[api.name]
        low, high = map(int, versions.split(" to "))
        assert number == api.id
        assert low <= api.version <= high


def test_mix64_is_that_of_splitmix64() -> None:
    # The first numbers of SplitMix64 with seed 1234567 (Vigna's splitmix64.c).
    seeds = [(1234567 + i * 0x9E3779B97F4A7C15) & MASK for i in (1, 2, 3)]
    assert [mix64(seed) for seed in seeds] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_keys_of_all_bits_are_hashed_as_whole_keys_are() -> None:
    keys = np.random.default_rng(3).integers(-(2**63), 2**63 - 1, 1000, dtype=np.int64)
    assert hash_keys(keys, 64).tolist() == [mix64(int(key)) for key in keys]


@pytest.mark.parametrize("bits", [1, 2, 9, 10])
def test_hashes_of_a_key_space_are_its_numbers_in_the_top_bits(bits: int) -> None:
    hashes = hash_keys(np.arange(1 << bits, dtype=np.int64), bits)
    assert sorted(hashes.tolist()) == [i << (64 - bits) for i in range(1 << bits)]


@pytest.mark.parametrize(("servers", "partitions"), [(1, 64), (2, 64), (5, 64), (7, 3), (64, 64)])
def test_no_server_has_more_partitions_than_its_share(servers: int, partitions: int) -> None:
    found = primaries(servers, partitions)
    assert len(found) == partitions
    assert max(found.count(server) for server in range(servers)) <= -(-partitions // servers)
