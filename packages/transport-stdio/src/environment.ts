/** A set of environment variables; an undefined one is left out. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const isWindows = process.platform === "win32";

/** Where programs, homes, languages and temporary files are. Nothing that could be a secret. */
const INHERITED: readonly string[] = isWindows
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
export function environment(own: EnvironmentVariables = {}): Record<string, string> {
  const named = new Set(Object.keys(own).map(key));
  const inherited = INHERITED.filter((name) => !named.has(key(name))).map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(
    [...inherited, ...Object.entries(own)].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** To Windows, Path and PATH are the same variable. */
const key = (name: string): string => (isWindows ? name.toUpperCase() : name);
