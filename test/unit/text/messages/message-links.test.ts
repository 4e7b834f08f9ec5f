import fc from 'fast-check';
import {expect, test} from 'vitest';
import {messageLinks, openableLink} from '../../../../src/text/messages/message-links.ts';
import {hostileText} from '../../../support/hostile-text.ts';

const links = (text: string) => messageLinks([{id: 'm', content: [{type: 'text', text}]}]);

test.each([
	['See https://a.example/x.', ['https://a.example/x']],
	[
		'[docs](https://a.example/x_(y)) and **https://b.example**, twice: https://b.example/',
		['https://a.example/x_(y)', 'https://b.example/'],
	],
	['(http://a.example:8080/?q=1&b=[2])', ['http://a.example:8080/?q=1&b=[2]']],
	[
		'<https://a.example> `https://b.example` "https://c.example"',
		['https://a.example/', 'https://b.example/', 'https://c.example/'],
	],
	['[https://a.example](https://b.example/x).', ['https://a.example/', 'https://b.example/x']],
	['write to mailto:me@a.example!', ['mailto:me@a.example']],
	['javascript:alert(1) file:///etc/passwd ftp://a.example https:// -https', []],
	['https://user:secret@a.example/', []],
	// What only looks like another address is spelled out.
	['https://аpple.example/\u202egnp.exe', ['https://xn--pple-43d.example/%E2%80%AEgnp.exe']],
])('%s', (text, expected) => {
	expect(links(text)).toEqual(expected);
});

test('a link is always a short line of ASCII that begins with its scheme', () => {
	fc.assert(
		fc.property(hostileText, hostileText, (one, other) => {
			for (const link of links(`https://a.example/${one} http://${other} mailto:${one}`)) {
				expect(link).toMatch(/^(?:https?:\/\/|mailto:)[!-~]*(?: [!-~]*)*$/);
				expect(openableLink(link)).toBe(link);
			}
		}),
		{numRuns: 200},
	);
});

test('lists 99 of a megabyte of addresses', () => {
	expect(
		links(Array.from({length: 40_000}, (_, index) => `https://a.example/${index}`).join(' ')),
	).toHaveLength(99);
	expect(links(`https://a.example/${'x'.repeat(1 << 20)}`)).toEqual([]);
});

test('searches a megabyte of brackets without delay', () => {
	expect(links(`http://a.b/${')'.repeat(1980)} `.repeat(500))).toEqual(['http://a.b/']);
});
