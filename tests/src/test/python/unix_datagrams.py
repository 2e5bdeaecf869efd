"""Sends each line of a file as a datagram, to each of some Unix sockets in turn, and waits where a queue is full, so
that nothing is lost on the way. Arguments: the file, how often, and the sockets."""
import socket
import sys

with open(sys.argv[1], "rb") as file:
    lines = file.read().splitlines()
for path in sys.argv[3:]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.connect(path)
        for _ in range(int(sys.argv[2])):
            for line in lines:
                out.send(line)
