/** What there is to see. */
export const CITIES = {
  Lisbon: ["Belém", "Alfama", "Tile Museum", "Sintra", "LX Factory"],
  Vienna: ["Prater", "Belvedere", "Naschmarkt", "Schönbrunn", "Central Cemetery"],
  Ghent: ["Gravensteen", "Graslei", "Museum of Fine Arts", "Patershol", "Botanical Garden"],
} as const satisfies { readonly [city: string]: readonly string[] };

export type City = keyof typeof CITIES;

export const cityNames = Object.keys(CITIES) as [City, ...City[]];
