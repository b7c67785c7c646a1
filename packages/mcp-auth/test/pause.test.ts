import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AuthError, LoginRequired } from "../src/index.ts";
import { Pause } from "../src/pause.ts";

const refused = new AuthError("authorization", "https://as.example.com", "no");

describe("the pause after a login that came to nothing", () => {
  test("lasts twice as long each time, until it is ended", (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: 1e12 });
    const pause = new Pause();
    assert.equal(pause.lasts, false);
    for (const minutes of [1, 2, 4, 8]) {
      pause.failed(refused);
      t.mock.timers.tick(minutes * 60_000 - 1);
      assert.equal(pause.lasts, true);
      t.mock.timers.tick(1);
      assert.equal(pause.lasts, false);
    }
    pause.failed(new Error("no browser"));
    pause.end();
    assert.equal(pause.lasts, false);
    pause.failed(new AuthError("token", "https://as.example.com", "no"));
    t.mock.timers.tick(60_000);
    assert.equal(pause.lasts, false);
  });

  test("is not for what no person has to do with, or has yet to do", () => {
    const pause = new Pause();
    pause.failed(new LoginRequired("https://as.example.com"));
    pause.failed(new AuthError("server metadata", "https://as.example.com", "no"));
    assert.equal(pause.lasts, false);
  });
});
