import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { type Place, placeOf, placeOfAddress } from "../src/address.ts";

const rows: { readonly [place in Place]: readonly string[] } = {
  public: [
    "example.com",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "192.169.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "[2606:4700::1111]",
    "[64:ff9b::808:808]",
    "[2002:808:808::]",
    "[::ffff:8.8.8.8]",
  ],
  loopback: [
    "localhost",
    "localhost.",
    "a.localhost",
    "127.0.0.1",
    "127.255.255.254",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "127.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "[::127.0.0.1]",
  ],
  private: [
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "012.1.1.1",
    "0xc0a80101",
    "[fc00::1]",
    "[fdff::1]",
    "[::ffff:10.0.0.1]",
    "intranet",
    "metadata.google.internal",
    "printer.local",
  ],
  "link-local": ["169.254.169.254", "0xa9fea9fe", "[fe80::1]", "[febf::1]", "[::ffff:169.254.169.254]"],
  reserved: ["0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "[::]", "[ff02::1]", "[2001:db8::1]", "[100::1]"],
};

describe("SEC-15, SEC-17: where a host is", () => {
  for (const [place, hosts] of Object.entries(rows))
    for (const host of hosts)
      test(`${host} is ${place}`, () => assert.equal(placeOf(new URL(`http://${host}/`).hostname), place));
});

test("SEC-15: every address of the ranges is found", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  const check = (first: readonly number[], place: Place): void =>
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
        const address = [...first, ...bytes].slice(0, 4).join(".");
        assert.equal(placeOfAddress(address), place);
        assert.equal(placeOfAddress(`::ffff:${address}`), place);
        assert.equal(placeOf(new URL(`http://[::ffff:${address}]/`).hostname), place);
      }),
      { numRuns: 50 },
    );
  check([10], "private");
  check([172, 20], "private");
  check([192, 168], "private");
  check([127], "loopback");
  check([169, 254], "link-local");
});

test("any IPv6 address has a place", () => {
  fc.assert(fc.property(fc.ipV6(), (address) => typeof placeOfAddress(address) === "string"));
});
