/** A set of environment variables; an undefined one is left out. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs, homes, languages and temporary files are. Nothing that could be a secret. */
const INHERITED: readonly string[] =
  process.platform === "win32"
    ? [
        ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
        ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP"],
        ...["USERNAME", "USERPROFILE", "WINDIR"],
      ]
    : [
        ...["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"],
        ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"],
      ];

/** What a started program sees: the inherited variables, and over them its own. */
export function environment(own: Environment = {}): Record<string, string> {
  const all = { ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])), ...own };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
