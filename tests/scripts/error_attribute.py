# An unknown attribute, in a method called through a chain.
class Engine:
    def start(self):
        return self.fuel_level


class Car:
    def __init__(self):
        self.engine = Engine()

    def drive(self):
        return self.engine.start() + 1


Car().drive()
