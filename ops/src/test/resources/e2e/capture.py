"""Writes all packets of a network device, one after the other, to a file: capture.py DEVICE FILE"""
import socket
import sys

packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
packets.bind((sys.argv[1], 0))
with open(sys.argv[2], "wb", buffering=0) as out:
    while True:
        out.write(packets.recv(1 << 16))
