"""Owns exact conversion between units of one dimension: km and miles, kg and lb, °C and °F, hours and days.

Never: currencies (those need a cited rate), or factors that are no exact definition.
Factors: international yard and pound agreement of 1959; SI Brochure, 9th edition; US gallon of 231 cubic inches.
"""

from __future__ import annotations

from decimal import Context, Decimal

import msgspec

_WIDE = Context(prec=60)


class Unit(msgspec.Struct, frozen=True):
    """A unit: ``factor`` times the value, plus ``offset``, is the value in the base unit of its ``dimension``."""

    dimension: str
    factor: Decimal
    offset: Decimal = Decimal(0)


# dimension: {names: factor}; names are as ``units`` gives them, in small letters.
_TABLE: dict[str, dict[str, str]] = {
    "length": {
        "m meter meters metre metres metern mètre mètres metros metri 米 メートル": "1",
        "km kilometer kilometers kilometre kilometres kilometern kilomètre kilomètres "
        "kilómetro kilómetros chilometri 公里 千米 キロメートル": "1000",
        "cm centimeter centimeters centimetre centimetres zentimeter centimètres 厘米 センチ": "0.01",
        "mm millimeter millimeters millimetre millimetres millimètres 毫米 ミリ": "0.001",
        "µm": "0.000001", "nm": "0.000000001",
        "mi mile miles meilen milles millas miglia 英里 マイル": "1609.344",
        "ft foot feet fuß pieds piedi 英尺 フィート": "0.3048",
        "inch inches zoll pouces 英寸 インチ": "0.0254",
        "yd yard yards": "0.9144",
    },
    "mass": {
        "kg kilogram kilograms kilogramm kilo kilos kilogrammes 公斤 千克 キログラム": "1",
        "g gram grams gramm grammes 克 グラム": "0.001",
        "mg milligrams milligramm": "0.000001", "µg": "0.000000001",
        "t tonne tonnes tonnen 吨 噸 トン": "1000",
        "lb lbs": "0.45359237",
        "oz ounce ounces unzen": "0.028349523125",
    },
    "time": {
        "s sec second seconds sekunde sekunden seconde secondes segundo segundos secondi 秒 秒間": "1",
        "ms": "0.001", "µs": "0.000001", "ns": "0.000000001",
        "min minute minutes minuten minuto minutos minuti 分 分钟 分鐘 分間": "60",
        "h hr hrs hour hours stunde stunden heure heures hora horas 小时 小時 時間": "3600",
        "day days tag tage tagen jour jours día días giorno giorni 天 日 日間": "86400",
        "week weeks woche wochen semaine semaines semana semanas settimana settimane 周 週 週間": "604800",
    },
    "calendar": {
        "month months monat monate monaten mois mes meses mese mesi 月 个月 個月 か月 ヶ月 カ月": "1",
        "quarter quarters quartal quartale trimestre trimestres": "3",
        "year years jahr jahre jahren ans année années año años anno anni 年 年間": "12",
    },
    "data": {
        "bytes byte": "1", "kb": "1000", "mb": "1000000", "gb": "1000000000", "tb": "1000000000000",
        "pb": "1000000000000000", "kib": "1024", "mib": "1048576", "gib": "1073741824", "tib": "1099511627776",
    },
    "frequency": {"hz": "1", "khz": "1000", "mhz": "1000000", "ghz": "1000000000"},
    "power": {"w watt watts": "1", "kw kilowatt kilowatts": "1000", "mw megawatt megawatts": "1000000",
              "gw": "1000000000"},
    "energy": {"wh": "1", "kwh": "1000", "mwh": "1000000", "gwh": "1000000000", "twh": "1000000000000"},
    "area": {
        "m² square_meters square_metres 平方米 平方メートル quadratmeter mètres_carrés": "1",
        "km² square_kilometers square_kilometres 平方公里 平方千米 平方キロメートル quadratkilometer kilomètres_carrés":
            "1000000",
        "ha hectare hectares hektar 公顷 ヘクタール": "10000",
        "acre acres": "4046.8564224", "square_miles": "2589988.110336", "square_feet": "0.09290304", "mm²": "0.000001",
    },
    "volume": {
        "l liter liters litre litres litern litro litros litri 升 リットル": "1",
        "hl hectoliter hectoliters hectolitre hectolitres hektoliter hectolitro hectolitros ettolitri": "100",
        "cl centilitre centilitres centiliter centiliters": "0.01",
        "ml milliliter millilitres milliliters 毫升": "0.001", "m³ 立方米": "1000",
        "gal gallon gallons": "3.785411784",
    },
    "speed": {"km/h kmh kph": "1", "mph": "1.609344", "m/s": "3.6"},
}  # fmt: skip
UNITS: dict[str, Unit] = {
    name: Unit(dimension, Decimal(factor))
    for dimension, units in _TABLE.items()
    for names, factor in units.items()
    for name in names.split()
}
_FAHRENHEIT = _WIDE.divide(Decimal(5), Decimal(9))
UNITS |= {
    "°c": Unit("temperature", Decimal(1)), "℃": Unit("temperature", Decimal(1)),
    "°f": Unit("temperature", _FAHRENHEIT, _WIDE.multiply(Decimal(-32), _FAHRENHEIT)),
}  # fmt: skip


def _unit(name: str | None) -> Unit | None:
    return UNITS.get((name or "").casefold().replace(" ", "_"))


def dimension(name: str | None) -> str | None:
    """The dimension of a unit ("length"), None when it is in no table."""
    unit = _unit(name)
    return unit.dimension if unit else None


def same_unit(first: str | None, second: str | None) -> bool:
    """Whether two names are one unit: "metres" and "m"; unknown units are the same when their names are."""
    a, b = _unit(first), _unit(second)
    if a is None or b is None:
        return (first or "").casefold().rstrip("s") == (second or "").casefold().rstrip("s")
    return a == b


def converted(value: Decimal, source: str | None, target: str | None) -> Decimal | None:
    """``value`` in ``source`` units as it is in ``target`` units; None when they measure different things."""
    a, b = _unit(source), _unit(target)
    if a is None or b is None or a.dimension != b.dimension:
        return None
    base = _WIDE.add(_WIDE.multiply(value, a.factor), a.offset)
    return _WIDE.divide(_WIDE.subtract(base, b.offset), b.factor)
