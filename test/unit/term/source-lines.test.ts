import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {transform} from 'esbuild';
import {expect, test} from 'vitest';
import {runScript} from '../../../src/compiled-script.ts';
import {withSourceLines} from '../../../src/term/crash-report.ts';
import {temporaryFolder} from '../../support/local-service.ts';

/** The failing call comes after characters outside ASCII on the same line of the script. */
const source = `
const tagged = (parts: TemplateStringsArray, ...names: string[]) => parts.join(names.join());
function greet(name: string) {
	return tagged\`→→→→→→ \${name} 🙂 →\`;
}

function fail(): never {
	throw new Error(greet('·'));
}
module.exports = {fail};
`;

type Failing = {fail(): never};

async function builtScript(): Promise<string> {
	const file = join(temporaryFolder(), 'program.js');
	const built = await transform(source, {
		loader: 'ts',
		minify: true,
		sourcemap: 'external',
		sourcefile: '../src/greeter.ts',
		banner: '(function(module,require){',
		footer: '})',
	});
	writeFileSync(file, built.code);
	writeFileSync(`${file}.map`, built.map);
	return file;
}

function stackOf(file: string): string {
	const {exports} = runScript<Failing>({file, identity: 'a'.repeat(16), cacheFile: undefined});
	try {
		return exports.fail();
	} catch (error) {
		return (error as Error).stack ?? '';
	}
}

test('maps a place in a script to its source', async () => {
	const file = await builtScript();
	const stack = stackOf(file);
	expect(stack).toContain(`${file}:`);
	const mapped = withSourceLines(stack);
	expect(mapped).not.toContain(file);
	expect(mapped).toContain('src/greeter.ts:8:8');
	expect(mapped).toMatch(/^Error: →→→→→→ · 🙂 →$/m);
});

test('leaves the stack unchanged without a valid source map', async () => {
	const file = await builtScript();
	const stack = stackOf(file);
	writeFileSync(`${file}.map`, 'not JSON');
	expect(withSourceLines(stack)).toBe(stack);
	expect(withSourceLines('Error: at (/nowhere/program.js:1:1)')).toBe('Error: at (/nowhere/program.js:1:1)');
});
