import {readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {helpFor} from '../src/commands/cli/help.ts';
import {readmeTable} from '../src/keys/readme-table.ts';

// `npm run readme` writes the parts of the README that the program knows better; `--check` fails when they are stale.
const file = join(resolve(import.meta.dirname, '..'), 'README.md');
const parts: Record<string, string> = {
	keys: readmeTable(),
	commands: `\`\`\`\n${helpFor([])}\`\`\`\n`,
};

const before = readFileSync(file, 'utf8');
let after = before;
for (const [name, text] of Object.entries(parts)) {
	const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
	const from = after.indexOf(start);
	const to = after.indexOf(end);
	if (from < 0 || to < from)
		throw new Error(`README.md has no place for ${name}: it needs ${start.trim()} and ${end}`);
	after = `${after.slice(0, from)}${start}\n${text}\n${after.slice(to)}`;
}

if (!process.argv.includes('--check')) writeFileSync(file, after);
else if (after !== before) {
	process.stderr.write('README.md is stale: run npm run readme\n');
	process.exitCode = 1;
}
