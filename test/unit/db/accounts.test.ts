import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {Account} from '../../../src/domain/accounts/account.ts';
import {temporaryFolder} from '../../support/local-service.ts';

test('records the use of an account once a minute, without undoing what another program did', () => {
	const {accounts, close} = openDatabase({file: join(temporaryFolder(), 'machine.sqlite')});
	onTestFinished(() => close());
	const known: Account = {id: 'a', kind: 'remote', profile: 'p', file: 'a.sqlite', createdAt: 1, usedAt: 1};
	accounts.put(known);
	accounts.recordUse(known, 'p', 30_000);
	expect(accounts.get('a')).toEqual(known);
	accounts.put({...known, organization: 'o'});
	accounts.recordUse(known, 'p', 70_000);
	expect(accounts.get('a')).toEqual({...known, organization: 'o', usedAt: 70_000});
	accounts.remove('a');
	accounts.recordUse(known, 'q', 80_000);
	expect(accounts.all()).toEqual([]);
});
