import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseAddress, proxyFor, shownProxy} from '../../../src/config/address.ts';
import {isLoopback} from '../../../src/domain/accounts/account.ts';

describe('parseAddress', () => {
	test.each([
		['https://host.example', 'https://host.example'],
		['https://host.example/', 'https://host.example'],
		['https://HOST.example:443/', 'https://host.example'],
		['https://host.example:8443/prefix/', 'https://host.example:8443/prefix'],
		['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
		['http://localhost:8080/', 'http://localhost:8080'],
		['http://[::1]:8080', 'http://[::1]:8080'],
	])('reads %s as %s', (text, address) => {
		expect(parseAddress(text, 'baseUrl')).toBe(address);
	});

	test.each([
		['', 'not an http address'],
		['host.example', 'not an http address'],
		['ftp://host.example', 'not an http address'],
		['javascript:alert(1)', 'not an http address'],
		['http://', 'not an http address'],
		['http://127.0.0.1:37719x', 'a port that is no number'],
		['https://host.example:70000/prefix', 'a port that is no number'],
		['https://[::1]:80x', 'a port that is no number'],
		['https://host name:80x', 'not an http address'],
		['http://host.example', 'http to another machine'],
		['http://127.0.0.1.host.example', 'http to another machine'],
		['http://localhost.host.example', 'http to another machine'],
		['https://user:password@host.example', 'user or password'],
		['https://user@host.example', 'user or password'],
		['https://host.example?', 'query or fragment'],
		['https://host.example/?a=b', 'query or fragment'],
		['https://host.example/#top', 'query or fragment'],
		['https://host.example//other', 'ambiguous path'],
		['https://host.example/a/../b', 'ambiguous path'],
		['https://host.example/a/%2e%2e/b', 'ambiguous path'],
		['https://host.example/a%2fb', 'ambiguous path'],
		['https://host.example\\other', 'ambiguous path'],
		['https://host.example/api/v0', '/api part'],
		['https://host.example/api', '/api part'],
	])('refuses %s: %s', (text, why) => {
		expect(() => parseAddress(text, 'baseUrl')).toThrow(
			expect.objectContaining({name: 'ConfigError', message: expect.stringContaining(why)}),
		);
	});

	test('never shows a password in the error', () => {
		expect(() => parseAddress('https://user:hunter2@host.example', 'baseUrl')).not.toThrow(/hunter2/);
	});

	test('accepts only stable addresses without a trailing slash, on https or loopback', () => {
		const text = fc.oneof(fc.webUrl({withQueryParameters: true, withFragments: true}), fc.string());
		fc.assert(
			fc.property(text, value => {
				let address: string;
				try {
					address = parseAddress(value, 'baseUrl');
				} catch (error) {
					expect(error).toMatchObject({name: 'ConfigError'});
					return;
				}
				const url = new URL(address);
				expect(parseAddress(address, 'baseUrl')).toBe(address);
				expect(address).not.toMatch(/\/$/);
				expect(url.protocol === 'https:' || isLoopback(url.hostname)).toBe(true);
			}),
		);
	});
});

const proxy = 'http://proxy.example:8080';
const service = 'https://service.example';

test.each([
	[{HTTPS_PROXY: proxy}, `${proxy} (HTTPS_PROXY)`],
	[{https_proxy: proxy, HTTPS_PROXY: 'http://other.example'}, `${proxy} (https_proxy)`],
	[{HTTPS_PROXY: '', ALL_PROXY: proxy}, `${proxy} (ALL_PROXY)`],
	[{all_proxy: 'proxy.example:8080'}, `${proxy} (all_proxy)`],
	[{HTTPS_PROXY: 'https://me:p%40ss@proxy.example'}, 'https://proxy.example (HTTPS_PROXY)'],
	[{HTTP_PROXY: proxy, http_proxy: proxy}, undefined],
	[{}, undefined],
])('%j leads to %s', (env, shown) => {
	const found = proxyFor(new URL(service), env);
	expect(found && shownProxy(found)).toBe(shown);
});

test.each(['http://localhost:1', 'http://127.0.0.1:1', 'https://127.8.9.1', 'https://[::1]'])(
	'%s is this machine, and reached straight',
	address => {
		const env = {HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy};
		expect(proxyFor(new URL(address), env)).toBeUndefined();
	},
);

test.each([
	[service, 'service.example', true],
	[service, 'SERVICE.example.', true],
	[service, 'a.test, example', true],
	[service, '.example', true],
	[service, '*.service.example', false],
	['https://a.service.example', '*.service.example', true],
	[service, 'vice.example', false],
	[service, 'other.example *', true],
	[service, 'service.example:443', true],
	[service, 'service.example:8443', false],
	['https://service.example:8443', 'service.example:8443', true],
	['https://[2001:db8::1]', '2001:db8::1', true],
	['https://[2001:db8::1]', '[2001:db8::1]:443', true],
	[service, ' ,', false],
])('%s with NO_PROXY=%s goes straight: %s', (address, NO_PROXY, isStraight) => {
	expect(proxyFor(new URL(address), {ALL_PROXY: proxy, NO_PROXY}) === undefined).toBe(isStraight);
});

test.each([
	['socks5://me:secret@proxy.example', 'SOCKS'],
	['ftp://me:secret@proxy.example', 'address of a proxy'],
	['http://me:secret%zz@proxy.example', 'address of a proxy'],
	['http://', 'address of a proxy'],
])('%s is refused, and not shown', (HTTPS_PROXY, why) => {
	const find = () => proxyFor(new URL(service), {HTTPS_PROXY});
	expect(find).toThrow(why);
	expect(find).not.toThrow('secret');
});
