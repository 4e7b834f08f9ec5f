import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {crashReport} from '../../../src/term/crash-report.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'crash-'));
});
afterEach(() => {
	rmSync(folder, {recursive: true, force: true});
});

const options = () => ({
	folder: join(folder, 'crashes'),
	redact: (text: string) => text.replaceAll('s3cret', '***'),
	version: '1.2.3',
	at: Date.UTC(2026, 10, 21),
});

test('shows one clean line on the screen, and writes all causes to a private file', () => {
	const error = new Error('outer \x1b[31m s3cret\nsecond line', {cause: new TypeError('inner s3cret')});
	const words = crashReport(error, options());
	expect(words.split('\n')[0]).toBe('quarterdeck crashed: Error: outer \u241b[31m ***');
	const [file = ''] = readdirSync(options().folder);
	expect(words).toContain(join(options().folder, file));
	const body = readFileSync(join(options().folder, file), 'utf8');
	expect(body).toContain('quarterdeck 1.2.3, node v');
	expect(body).toContain('TypeError: inner ***');
	expect(body).not.toMatch(/s3cret|undefined/);
	expect(statSync(join(options().folder, file)).mode & 0o777).toBe(0o600);
});

test("says if the report can't be written, and reports even what isn't an error", () => {
	writeFileSync(options().folder, 'a file where the folder should be');
	expect(crashReport('just words', options())).toMatch(
		/quarterdeck crashed: just words\nThe crash report could not be written/,
	);
	expect(crashReport(undefined, options())).toMatch(/quarterdeck crashed: undefined/);
});
