import {basename} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {safeName} from '../../../src/local/attachments.ts';

test('any name becomes one file name that hides nothing', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary', maxLength: 300}), name => {
			const safe = safeName(name);
			expect(safe).not.toBe('');
			expect(basename(safe)).toBe(safe);
			expect(safe).not.toMatch(/^[.-]|[\0-\x1f\x7f/\\]/);
			expect(safe.length).toBeLessThanOrEqual(80);
		}),
	);
});

test('a plain name stays', () => {
	expect(safeName('Bericht für März 2.pdf')).toBe('Bericht für März 2.pdf');
	expect(safeName('C:\\Users\\me\\notes.txt')).toBe('notes.txt');
	expect(safeName('..')).toBe('file');
});
