# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
"""A small web shop without the web: four workers take orders and charge cards, some of them slowly.

It is here to be looked into while it runs:

    python3 examples/shop.py &
    build/spyglass -p $! -e 'func:__main__.Shop.*:start {{ print(qualname(), args()) }}'

It knows nothing of Spyglass, and prints one line: its pid.
"""

import os
import random
import threading
import time

PRICES = {"tea": 4, "coffee": 6, "cup": 12, "kettle": 49}


class CardDeclined(Exception):
    pass


class Shop:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.orders = 0
        self.revenue = 0

    def next_order(self):
        customer = self.random.choice(["ada", "bob", "cleo", "dan"])
        items = self.random.choices(list(PRICES), k=self.random.randint(1, 4))
        return customer, items

    def place_order(self, customer, items):
        total = self.total(items)
        try:
            self.charge_card(customer, total)
        except CardDeclined:
            return None
        self.orders += 1
        self.revenue += total
        return total

    def total(self, items):
        return sum(PRICES[item] for item in items)

    def charge_card(self, customer, amount):
        # The bank answers in a few milliseconds, but not always.
        wait_for_bank(0.002 if self.random.random() < 0.9 else 0.030)
        if amount > 100:
            raise CardDeclined(f"{customer} cannot pay {amount}")
        return amount


def wait_for_bank(seconds):
    time.sleep(seconds)


def work(seed):
    shop = Shop(seed)
    while True:
        shop.place_order(*shop.next_order())
        time.sleep(0.05)


def main():
    print(os.getpid(), flush=True)
    for seed in range(3):
        threading.Thread(target=work, args=(seed,), daemon=True).start()
    work(3)


if __name__ == "__main__":
    main()
