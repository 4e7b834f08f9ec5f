import {describe, expect, test} from 'vitest';
import {sourceFiles} from '../../support/source-files.ts';

/** What each layer may import, beside itself: the arrows of src/README.md. */
const mayImport: Record<string, readonly string[]> = {
	hooks: [],
	'src/domain': ['hooks'],
	'src/config': ['hooks', 'src/domain'],
	'src/text': ['src/domain'],
	'src/term': ['src/text', 'src/domain', 'hooks'],
	'src/keys': ['src/text', 'src/domain'],
	'src/log': ['src/domain'],
	'src/git': ['hooks', 'src/domain'],
	'src/api': ['src/domain', 'src/config', 'src/log'],
	'src/db': ['src/domain', 'hooks'],
	'src/state': ['src/domain', 'src/text'],
	'src/hook-listeners': ['hooks', 'src/domain'],
	'src/transcripts': ['hooks', 'src/domain'],
	'src/sync': [
		'src/transcripts',
		'src/api',
		'src/db',
		'src/state',
		'src/hook-listeners',
		'src/domain',
		'src/config',
		'src/log',
		'hooks',
	],
	'src/actions': [
		'src/sync',
		'src/hook-listeners',
		'src/state',
		'src/api',
		'src/db',
		'src/domain',
		'src/text',
		'src/git',
	],
	'src/ui': ['src/actions', 'src/state', 'src/text', 'src/keys', 'src/term', 'src/domain'],
	'src/local': [
		'src/config',
		'src/db',
		'src/hook-listeners',
		'src/transcripts',
		'src/domain',
		'src/git',
		'hooks',
	],
	'src/demo': ['src/local', 'src/domain', 'hooks'],
	'src/hook-setup': ['hooks', 'src/hook-listeners', 'src/domain'],
};
/** Inside the screen, files of `src/ui/` itself that its folders may import; all others put the folders together. */
const base = [
	'src/ui/banner-lines.ts',
	'src/ui/input.ts',
	'src/ui/layout-now.ts',
	'src/ui/layout.ts',
	'src/ui/offer-undo.ts',
	'src/ui/open-session.ts',
	'src/ui/quit.ts',
	'src/ui/screen-page.ts',
	'src/ui/strings.ts',
	'src/ui/use-app.ts',
	'src/ui/use-lists.ts',
	'src/ui/way-out.ts',
];
const drawing = ['src/ui/keys/', 'src/ui/kit/', 'src/ui/mouse/', 'src/ui/theme/', ...base];
const view = [...drawing, 'src/ui/panes/', 'src/ui/dialogs/'];
/** What the folders inside a layer may import of it, beside themselves. */
const inside: Record<string, readonly string[]> = {
	'src/ui/theme/': ['src/ui/use-app.ts'],
	'src/ui/mouse/': ['src/ui/keys/', ...base],
	// Its types name the app and the actions of all bindings.
	'src/ui/keys/': [...base, 'src/ui/bindings.ts'],
	'src/ui/kit/': ['src/ui/keys/', 'src/ui/theme/', 'src/ui/mouse/', 'src/ui/layout.ts', 'src/ui/use-app.ts'],
	// Parts of views.
	'src/ui/filter/': drawing,
	'src/ui/composer/': drawing,
	'src/ui/stream/': drawing,
	'src/ui/panes/': [...drawing, 'src/ui/filter/'],
	// Views: none knows another. Their keys open dialogs. The Work view puts panes, streams and the composer together.
	'src/ui/work/': [...view, 'src/ui/composer/', 'src/ui/stream/'],
	'src/ui/sessions/': [...view, 'src/ui/composer/', 'src/ui/stream/'],
	'src/ui/computers/': [...view, 'src/ui/composer/'],
	'src/ui/events/': view,
	'src/ui/organization/': view,
	// A dialog acts on the composer or the stream that it was opened from.
	'src/ui/dialogs/': [...drawing, 'src/ui/composer/', 'src/ui/stream/'],
	// What other folders of the layer build on.
	'src/db/file/': [],
	'src/state/rows/': [],
	'src/commands/cli/': ['src/commands/output/'],
	'src/commands/output/': ['src/commands/cli/'],
};
/** The commands that tell the screen's keys; the build puts them into its script. */
const readKeys = ['src/commands/keys.ts', 'src/commands/doctor/terminal.ts'];
/** Names the types of everything that is handed to the screen. */
const handsOut = 'src/ui/use-app.ts';
/** Loads the code of each command by its path. */
const loadsCommands = 'src/commands/cli/table.ts';

/** Entries put the parts together and may import any layer. */
const isEntry = (path: string) => /^src\/(?:[^/]+\.tsx?$|app\/|commands\/)/.test(path);

const files = sourceFiles('src', 'hooks');
const layerOf = (path: string) => Object.keys(mayImport).find(layer => path.startsWith(`${layer}/`));

describe('layers', () => {
	test.each(files.filter(file => !isEntry(file.path)).map(file => [file.path, file] as const))(
		'%s imports only what lies below it',
		(_, file) => {
			const layer = layerOf(file.path);
			expect(layer, 'a folder that the layer table does not know').toBeDefined();
			const allowed = [layer, ...(mayImport[layer as string] ?? [])];
			const wrong = file.imports.filter(
				path => /^(src|hooks)\//.test(path) && !allowed.includes(layerOf(path)),
			);
			expect(wrong).toEqual([]);
		},
	);

	test.each(Object.entries(inside))('%s knows nothing above it', (folder, allowed) => {
		const [layer] = folder.match(/^src\/[a-z]+\//) ?? [];
		for (const {path, imports} of files) {
			if (!path.startsWith(folder) || path === loadsCommands) continue;
			const own = imports.filter(name => name.startsWith(layer as string) && !name.startsWith(folder));
			const wrong = own.filter(name => !allowed.some(one => name.startsWith(one)));
			expect(wrong, path).toEqual([]);
		}
	});

	test('every folder of the screen is in the table', () => {
		const folders = files.map(({path}) => /^src\/ui\/[^/]+\//.exec(path)?.[0]).filter(Boolean);
		expect(folders.filter(folder => inside[folder as string] === undefined)).toEqual([]);
	});

	test('files that the folders of the screen share import no view', () => {
		const shared = [...base, 'src/ui/keys/', 'src/ui/theme/', 'src/ui/mouse/', 'src/ui/kit/'];
		for (const {path, imports} of files.filter(({path}) => base.includes(path) && path !== handsOut)) {
			const own = imports.filter(name => name.startsWith('src/ui/'));
			expect(
				own.filter(name => !shared.some(one => name.startsWith(one))),
				path,
			).toEqual([]);
		}
	});

	test('commands import no screen, except for its keys, and other code no command', () => {
		for (const {path, imports} of files) {
			const isCommand = path.startsWith('src/commands/');
			const isLoader = /^src\/(?:app\/)?[^/]+$/.test(path);
			if (isCommand && !readKeys.includes(path))
				expect(
					imports.filter(name => name.startsWith('src/ui/')),
					path,
				).toEqual([]);
			else if (!isCommand && !isLoader)
				expect(
					imports.filter(name => name.startsWith('src/commands/')),
					path,
				).toEqual([]);
		}
	});

	test('the hook imports node: only and its own folder', () => {
		for (const file of files.filter(({path}) => path.startsWith('hooks/')))
			expect(
				file.imports.filter(path => !path.startsWith('node:') && !path.startsWith('hooks/')),
				file.path,
			).toEqual([]);
	});

	test('nothing imports the hook or the entry: both run when they are loaded', () => {
		for (const file of files)
			expect(
				file.imports.filter(path => ['hooks/hook.ts', 'src/cli.ts'].includes(path)),
				file.path,
			).toEqual([]);
	});

	test('only the screen imports React and Ink', () => {
		const isScreen = (path: string) => path.startsWith('src/ui/') || path === 'src/app/main.tsx';
		for (const file of files.filter(({path}) => !isScreen(path)))
			expect(
				file.imports.filter(name => /^(react|ink|ink-text-input)(\/|$)/.test(name)),
				file.path,
			).toEqual([]);
	});

	test("only the kit imports Ink's <Text>", () => {
		for (const file of files.filter(({path}) => !path.startsWith('src/ui/kit/')))
			expect(file.text, file.path).not.toMatch(/import\s*\{[^}]*\bText\b[^}]*\}\s*from 'ink'/);
	});

	test('only the clock makes timers in the engine', () => {
		for (const file of files.filter(
			({path}) => path.startsWith('src/sync/') || path.startsWith('src/hook-listeners/'),
		))
			expect(file.text, file.path).not.toMatch(/\b(setTimeout|setInterval|Date\.now)\(/);
	});
});

describe('conventions', () => {
	test('there are only named exports, and no file only passes exports on', () => {
		for (const file of files) {
			expect(file.text, file.path).not.toMatch(/^export default /m);
			expect(file.text, file.path).not.toMatch(/^export \* from /m);
		}
	});

	test('file names are kebab-case', () => {
		for (const {path} of files) expect(path).toMatch(/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.d)?\.tsx?$/);
	});

	test('only the theme has colors; all other files name tones', () => {
		const isTheme = (path: string) => /^src\/ui\/theme\/(?:theme|palettes|colors)\.ts$/.test(path);
		const coloring = files.filter(
			({path}) => /^src\/(?:ui|text|keys|state|commands)\//.test(path) && !isTheme(path),
		);
		for (const file of coloring)
			expect(file.text, file.path).not.toMatch(
				/\\(?:x1b|u001b|e)\[[\d;]*m|\b[34]8;[25]\b|\b(?:color|backgroundColor|borderColor|dimColor)=|['"`]#[\da-f]{3,8}['"`]/i,
			);
	});

	test('nothing that is drawn before the first frame touches Intl', () => {
		const early = files.filter(({path}) => /^src\/(ui|text|term|keys|state|domain)\//.test(path));
		for (const file of early)
			expect(file.text, file.path).not.toMatch(/\btoLocale|localeCompare|Intl\.(?!Segmenter)/);
	});
});
