import {readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {build} from 'esbuild';
import {exitCodeText} from '../src/commands/cli/help.ts';
import {topics} from '../src/commands/cli/topics.ts';
import {settingShapes} from '../src/config/config-file.ts';

// `npm run readme` writes the parts of the README and of the help's topics that the program knows better; `--check`
// fails when they are stale.

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
	const lines = [heading, heading.map(() => '---'), ...rows];
	return lines.map(cells => `| ${cells.join(' | ')} |\n`).join('');
}

/** Settings that are in `shape`, and in `other` or not. */
function settings(shape: Shape, isShared: boolean, other: Shape): string {
	const own = Object.entries(shape).filter(([name]) => name in other === isShared);
	return table(
		['Setting', 'Meaning'],
		own.map(([name, {description}]) => {
			if (description === undefined) throw new Error(`the setting ${name} has no description`);
			return [`\`${name}\``, description];
		}),
	);
}

const top = resolve(import.meta.dirname, '..');

/** The table of keys. They are bound beside what they do, in code of the screen, which only a bundler can load. */
async function bundledKeyTable(): Promise<string> {
	const outfile = join(top, 'node_modules/.key-table.mjs');
	await build({
		absWorkingDir: top,
		entryPoints: ['src/ui/key-table.ts'],
		bundle: true,
		platform: 'node',
		format: 'esm',
		packages: 'external',
		outfile,
	});
	const code: typeof import('../src/ui/key-table.ts') = await import(outfile);
	return code.keyTable();
}

type Shape = Readonly<Record<string, {readonly description?: string | undefined}>>;
const {file, profile} = settingShapes;

const parts: Record<string, Record<string, string>> = {
	'README.md': {
		topics: table(
			['Topic', 'Explains'],
			Object.entries(topics).map(([topic, about]) => [
				`[\`quarterdeck help ${topic}\`](src/commands/help/${topic}.md)`,
				about,
			]),
		),
	},
	'src/commands/help/keys.md': {keys: await bundledKeyTable()},
	'src/commands/help/exit-codes.md': {
		'exit-codes': table(
			['Code', 'Meaning'],
			exitCodeText.map(([code, meaning]) => [`**${code}**`, meaning]),
		),
	},
	'src/commands/help/configuration.md': {
		'shared-settings': settings(file, true, profile),
		'file-settings': settings(file, false, profile),
		'profile-settings': settings(profile, false, file),
	},
};

for (const [path, texts] of Object.entries(parts)) {
	const full = join(top, path);
	const before = readFileSync(full, 'utf8');
	let after = before;
	for (const [name, text] of Object.entries(texts)) {
		const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
		const from = after.indexOf(start);
		const to = after.indexOf(end);
		if (from < 0 || to < from)
			throw new Error(`${path} has no place for ${name}: it needs ${start.trim()} and ${end}`);
		after = `${after.slice(0, from)}${start}\n${text}\n${after.slice(to)}`;
	}
	if (!process.argv.includes('--check')) writeFileSync(full, after);
	else if (after !== before) {
		process.stderr.write(`${path} is stale: run npm run readme\n`);
		process.exitCode = 1;
	}
}
