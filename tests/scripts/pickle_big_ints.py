# Ints of any size in pickles.
import pickle

for number in (2**31, 2**63, -(2**63) - 1, 2**70, -(2**70), 2**1000, -(2**2040), 2**2100, -(2**2100) + 1):
    for protocol in (2, 4, 5):
        data = pickle.dumps(number, protocol=protocol)
        print(protocol, data[:24], len(data), pickle.loads(data) == number)
