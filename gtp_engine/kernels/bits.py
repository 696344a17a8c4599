"""Bits, random numbers, prefetches and reads of memory that another thread writes."""

import numpy as np

from . import inlined, intrinsic


@intrinsic
def lowest_bit(typing_context, word):
    """The index of the lowest 1 bit of an int64 other than 0."""
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))
    return types.int64(types.int64), generate


@intrinsic
def _high_product(typing_context, a, b):
    """The upper 64 bits of the product of two uint64."""
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def prefetch(typing_context, array, index):
    """Prefetch the element at `index` of a one-dimensional array into the processor's cache."""
    from llvmlite import ir
    from numba import types

    def generate(context, builder, signature, args):
        address, number = _address(context, builder, signature, args), ir.IntType(32)
        address = builder.bitcast(address, ir.IntType(8).as_pointer())
        function = builder.module.declare_intrinsic(
            "llvm.prefetch", [address.type],
            ir.FunctionType(ir.VoidType(), [address.type, number, number, number]))
        builder.call(function, [address, *(ir.Constant(number, each) for each in (0, 3, 1))])
        return context.get_dummy_value()
    return types.void(array, types.int64), generate


@intrinsic
def latest(typing_context, array, index):
    """Read the element at `index` of a one-dimensional array that another thread writes."""
    from numba import types

    def generate(context, builder, signature, args):
        address = _address(context, builder, signature, args)
        size = context.get_abi_sizeof(address.type.pointee)
        return builder.load_atomic(address, "monotonic", size)
    return array.dtype(array, types.int64), generate


def _address(context, builder, signature, args):
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.gep(data, [args[1]])


@inlined
def random_word(state):
    """Advance the generator in `state`, uint64[1], to its next uint64 (SplitMix64, Steele 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def split(word, n):
    """A random number below `n`, and the rest of the random `word` for the next one; all uint64.

    One word yields k numbers if n1 * n2 * ... * nk is far below 2**64.  They are independent and
    uniform except for a bias of at most this product / 2**64 (Brackett-Rozinsky and Lemire 2024).
    """
    return _high_product(word, n), word * n


@inlined
def below(n, state):
    """A uniformly random number of 0 .. n - 1, as int64."""
    return np.int64(_high_product(random_word(state), np.uint64(n)))


@inlined
def seed_playout(random, seed, number):
    """Set `random` to the generator of playout `number` among those with this seed.

    `random` is uint64[8], one cache line; only its first element is used.
    """
    random[0] = seed + np.uint64(number)
    random[0] = random_word(random)
