import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';

/** What the engine and the actions import at start: undici and zod load with `http/http-client.ts`, after the first frame. */
test.each(['client', 'errors', 'pages', 'service', 'http/timing'])('%s.ts loads no library', name => {
	const seen = new Set<string>();
	const walk = (url: URL) => {
		if (seen.has(url.href)) return;
		seen.add(url.href);
		const source = readFileSync(url, 'utf8');
		for (const [, isType, from = ''] of source.matchAll(/^import (type )?.*? from '([^']+)';$/gms)) {
			if (isType) continue;
			expect(from).toMatch(/^\./);
			walk(new URL(from, url));
		}
	};
	walk(new URL(`../../../src/api/${name}.ts`, import.meta.url));
	expect(seen.size).toBeGreaterThan(0);
});
