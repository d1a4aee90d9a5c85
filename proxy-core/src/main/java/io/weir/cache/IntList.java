package io.weir.cache;

import java.util.Arrays;

/** Growing list of numbers. Confined to one thread. */
final class IntList {

    private int[] numbers = new int[16];
    private int size;

    void add(int number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        numbers[size++] = number;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(numbers, size);
    }
}
