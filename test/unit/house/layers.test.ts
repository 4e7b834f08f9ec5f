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
	'src/api': ['src/domain', 'src/config', 'src/log'],
	'src/db': ['src/domain', 'hooks'],
	'src/state': ['src/domain', 'src/text'],
	'src/sync': ['src/api', 'src/db', 'src/state', 'src/domain', 'src/config', 'src/log', 'hooks'],
	'src/actions': ['src/sync', 'src/state', 'src/api', 'src/db', 'src/domain', 'src/text'],
	'src/ui': ['src/actions', 'src/state', 'src/text', 'src/keys', 'src/term', 'src/domain'],
	'src/local': ['src/config', 'src/db', 'src/domain', 'hooks'],
	'src/hook-setup': ['hooks', 'src/domain'],
};
/** Entries put the parts together and may import any layer. */
const isEntry = (path: string) => /^src\/[^/]+\.tsx?$/.test(path) || path.startsWith('src/commands/');

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

	test('React and Ink are known to the screen only', () => {
		const isScreen = (path: string) => path.startsWith('src/ui/') || path === 'src/main.tsx';
		for (const file of files.filter(({path}) => !isScreen(path)))
			expect(
				file.imports.filter(name => /^(react|ink|ink-text-input)(\/|$)/.test(name)),
				file.path,
			).toEqual([]);
	});

	test("text reaches Ink's <Text> through the kit alone", () => {
		for (const file of files.filter(({path}) => !path.startsWith('src/ui/kit/')))
			expect(file.text, file.path).not.toMatch(/import\s*\{[^}]*\bText\b[^}]*\}\s*from 'ink'/);
	});

	test('only the clock makes timers in the engine', () => {
		for (const file of files.filter(
			({path}) => path.startsWith('src/sync/') && path !== 'src/sync/core/clock.ts',
		))
			expect(file.text, file.path).not.toMatch(/\b(setTimeout|setInterval|Date\.now)\(/);
	});
});

describe('habits', () => {
	test('named exports only, and no file that only passes exports on', () => {
		for (const file of files) {
			expect(file.text, file.path).not.toMatch(/^export default /m);
			expect(file.text, file.path).not.toMatch(/^export \* from /m);
		}
	});

	test('file names are kebab-case', () => {
		for (const {path} of files) expect(path).toMatch(/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.d)?\.tsx?$/);
	});

	test('colours have names in one file; all others name tones', () => {
		const isTheme = (path: string) => /^src\/ui\/theme\/(?:theme|palettes|color-coding)\.ts$/.test(path);
		const drawing = files.filter(
			({path}) => /^src\/(?:ui|text|keys|state|commands)\//.test(path) && !isTheme(path),
		);
		for (const file of drawing)
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
