import type {Settings} from '../../config/settings.ts';
import {createKeyMap} from '../../keys/key-map.ts';
import {type Check, ok, warning} from './check.ts';

/** Reports the number of user-defined keys and each problem with them. */
export function checkKeys({keys: choices, configFile}: Settings): Check[] {
	const {problems} = createKeyMap(choices);
	const count = choices.byAction.size;
	if (problems.length === 0)
		return [ok('keys', count === 0 ? 'defaults' : `${count} customized; quarterdeck keys shows all`)];
	return problems.map(found =>
		warning('keys', found, `fix "keys" in ${configFile}; quarterdeck keys shows the active ones`),
	);
}
