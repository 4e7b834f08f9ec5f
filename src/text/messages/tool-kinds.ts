/** Kinds of small calls; many of them in a row are drawn as one row. */
export type CallKind = keyof typeof smallCalls;

/** Names of the known agents' tools, lower case and letters only. */
const smallCalls = {
	read: ['read', 'view', 'cat', 'readfile', 'readmanyfiles', 'viewfile', 'openfile', 'notebookread'],
	search: [
		...[
			'grep',
			'glob',
			'search',
			'find',
			'rg',
			'ripgrep',
			'codesearch',
			'findfiles',
			'filesearch',
			'greptool',
		],
		...['globtool', 'searchfiles', 'searchfilecontent', 'searchtext', 'websearch', 'googlewebsearch'],
	],
	listing: ['ls', 'list', 'listdir', 'listdirectory', 'listfiles', 'readfolder'],
	fetch: ['fetch', 'webfetch', 'fetchurl'],
} as const;

const kinds = new Map<string, CallKind>(
	Object.entries(smallCalls).flatMap(([kind, names]) => names.map(name => [name, kind as CallKind] as const)),
);

/** The kind of a small call; undefined for other tools. */
export function callKind(name: string): CallKind | undefined {
	return name.length > 40 ? undefined : kinds.get(name.toLowerCase().replace(/[^a-z]/g, ''));
}
