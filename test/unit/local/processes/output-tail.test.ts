import {expect, test} from 'vitest';
import {createOutputTail} from '../../../../src/local/processes/output-tail.ts';

test('words on stderr take precedence over those on stdout', () => {
	const tail = createOutputTail();
	tail.add(Buffer.from('progress\n'), 'stdout');
	expect(tail.text()).toBe('progress');
	tail.add(Buffer.from('it failed\n'), 'stderr');
	expect(tail.text()).toBe('it failed');
});

test('a long output keeps its last whole lines', () => {
	const tail = createOutputTail();
	for (let line = 0; line < 1000; line++) tail.add(Buffer.from(`line ${line}\n`), 'stderr');
	const lines = tail.text().split('\n');
	expect(lines.at(-1)).toBe('line 999');
	expect(lines[0]).toBe(`line ${1000 - lines.length}`);
	expect(Buffer.byteLength(tail.text())).toBeLessThanOrEqual(4096);
});
